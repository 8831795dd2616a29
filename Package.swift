// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

let openSSL = Target.Dependency.target(
  name: "CHoldfastOpenSSL", condition: .when(traits: ["OpenSSL"]))

func tests(
  _ name: String, _ dependencies: Target.Dependency..., exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: settings)
}

extension Target.Dependency {
  /// A product of swift-nio or swift-nio-ssl, under the trait `NIO`.
  static func nio(_ product: String, package: String = "swift-nio") -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["NIO"]))
  }
}

let package = Package(
  name: "holdfast",
  // `InlineArray` needs these versions; the C libraries of Linux and Android need none.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "Holdfast", targets: ["Holdfast"]),
    .library(name: "HoldfastCompatibility", targets: ["HoldfastCompatibility"]),
    .library(name: "HoldfastCertificates", targets: ["HoldfastCertificates"]),
    .library(name: "HoldfastConfigurations", targets: ["HoldfastConfigurations"]),
    .library(name: "HoldfastIdentities", targets: ["HoldfastIdentities"]),
    .library(name: "HoldfastOnline", targets: ["HoldfastOnline"]),
    .library(name: "HoldfastOpenSSL", targets: ["HoldfastOpenSSL"]),
    .library(name: "HoldfastHTTP", targets: ["HoldfastHTTP"]),
    .library(name: "HoldfastURLSession", targets: ["HoldfastURLSession"]),
    .library(name: "HoldfastNIO", targets: ["HoldfastNIO"]),
    .library(name: "HoldfastTrustStores", targets: ["HoldfastTrustStores"]),
    .executable(name: "holdfast", targets: ["HoldfastTool"]),
    .executable(name: "holdfast-conformance", targets: ["HoldfastConformanceTool"]),
  ],
  traits: [
    .default(enabledTraits: ["GMP"]),
    .trait(
      name: "GMP", description: "GMP computes with large integers; without the trait Swift does."),
    // Who has OpenSSL's headers can have GMP's, and `--traits Curl` leaves the default traits out.
    .trait(
      name: "OpenSSL",
      description: "Real TLS connections: HoldfastOpenSSL and `holdfast connect`, with OpenSSL 3.",
      enabledTraits: ["GMP"]),
    .trait(
      name: "Curl", description: "Requests with pins: HoldfastHTTP, with libcurl on OpenSSL 3.",
      enabledTraits: ["OpenSSL"]),
    .trait(
      name: "NIO", description: "HoldfastNIO: decisions in swift-nio-ssl, resumption guarded."),
  ],
  // Used only under the trait `NIO`, so that nothing is fetched without it: one use without the
  // condition, in a test target too, would fetch them for every dependent.
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.98.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CHoldfastGMP", pkgConfig: "gmp",
      providers: [.apt(["libgmp-dev"]), .brew(["gmp"]), .yum(["gmp-devel"])]),
    // Only headers: a system library target needs no source file.
    .systemLibrary(name: "CHoldfastPlatform"),
    .systemLibrary(name: "CHoldfastInstructions"),
    .systemLibrary(name: "CHoldfast"),
    // No `pkgConfig`: without the library it would cause a warning in every dependent.
    .systemLibrary(name: "CHoldfastOpenSSL"),
    .systemLibrary(name: "CHoldfastCurl"),

    library("HoldfastBase", "CHoldfastPlatform"),
    library("HoldfastDER", "HoldfastBase"),
    library("HoldfastHashes", "CHoldfastInstructions"),
    library(
      "HoldfastSignatures", .target(name: "CHoldfastGMP", condition: .when(traits: ["GMP"])),
      "CHoldfastInstructions", "HoldfastHashes"),
    library("HoldfastCertificates", "HoldfastDER", "HoldfastHashes"),
    library("HoldfastFilters", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates"),
    library(
      "HoldfastPaths", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates", "HoldfastFilters",
      "HoldfastSignatures"),
    library(
      "HoldfastTransparency", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastSignatures", "HoldfastPaths", "HoldfastJSON"),
    library(
      "Holdfast", "HoldfastBase", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastFilters", "HoldfastPaths", "HoldfastTransparency", "HoldfastJSON"),
    library(
      "HoldfastCompatibility", "Holdfast", "HoldfastDER", "HoldfastPaths", "HoldfastIdentities",
      .target(name: "HoldfastHTTP", condition: .when(traits: ["Curl"])),
      .target(name: "HoldfastOpenSSL", condition: .when(traits: ["Curl"])),
      .target(name: "HoldfastURLSession", condition: .when(traits: ["Curl"]))),
    library(
      "HoldfastConfigurations", "Holdfast", "HoldfastBase", "HoldfastHashes", "HoldfastIdentities",
      "HoldfastTrustStores"),
    library(
      "HoldfastTrustStores", "Holdfast", "HoldfastBase", "HoldfastDER", "HoldfastCertificates",
      "HoldfastPaths", "HoldfastJSON"),
    library("HoldfastIdentities", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates"),
    library(
      "HoldfastOnline", "Holdfast", "HoldfastBase", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes", "HoldfastIdentities", "HoldfastPaths", "HoldfastSystem"),
    library(
      "HoldfastOpenSSL", "Holdfast", "HoldfastCertificates", "HoldfastDER", "HoldfastIdentities",
      openSSL),
    library(
      "HoldfastHTTP", "Holdfast", "HoldfastDER", "HoldfastCertificates", "HoldfastIdentities",
      "HoldfastOnline", "HoldfastOpenSSL", "HoldfastSystem",
      openSSL,
      .target(name: "CHoldfastCurl", condition: .when(traits: ["Curl"]))),
    library(
      "HoldfastURLSession", "Holdfast", "HoldfastHTTP", "HoldfastIdentities", "HoldfastOpenSSL"),
    library(
      "HoldfastNIO", "Holdfast", "HoldfastDER", .nio("NIOSSL", package: "swift-nio-ssl"),
      .nio("NIOCore"), .nio("NIOTLS")),
    library(
      "HoldfastAnswers", "Holdfast", "HoldfastBase", "HoldfastCertificates", "HoldfastDER",
      "HoldfastJSON", "HoldfastPaths"),
    // No product: `Scripts/checks/c-door` links the library for other languages from its objects.
    library(
      "HoldfastC", "CHoldfast", "Holdfast", "HoldfastAnswers", "HoldfastBase",
      "HoldfastCertificates", "HoldfastDER", "HoldfastJSON", "HoldfastTrustStores"),
    library("HoldfastSystem", "HoldfastBase", "CHoldfastPlatform"),
    library("HoldfastJSON", "HoldfastBase"),
    library(
      "HoldfastConformance", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastSignatures", "HoldfastPaths", "HoldfastSystem", "HoldfastJSON",
      "HoldfastTransparency"),
    .executableTarget(
      name: "HoldfastConformanceTool",
      dependencies: [
        "HoldfastConformance", "HoldfastDER", "HoldfastJSON", "HoldfastPaths", "HoldfastSystem",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "HoldfastTool",
      dependencies: [
        "Holdfast", "HoldfastAnswers", "HoldfastCertificates", "HoldfastDER",
        "HoldfastConfigurations", "HoldfastHashes", "HoldfastIdentities", "HoldfastJSON",
        "HoldfastOnline", "HoldfastPaths", "HoldfastSystem", "HoldfastTransparency",
        "HoldfastTrustStores",
        .target(name: "HoldfastOpenSSL", condition: .when(traits: ["OpenSSL"])),
        .target(name: "HoldfastHTTP", condition: .when(traits: ["Curl"])),
      ],
      // A link to the file in Documentation: what `holdfast generate schema` prints is that file.
      resources: [.embedInCode("Generate/answer.schema.json")],
      swiftSettings: settings),

    // Scripts/bench runs it. No product, as users of the library need none.
    .systemLibrary(name: "CPeerSystem", path: "Benchmarks/peers/system"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Holdfast", "HoldfastCompatibility", "HoldfastHashes", "HoldfastOnline", "HoldfastPaths",
        "HoldfastSignatures", "HoldfastTransparency", "CPeerSystem",
      ],
      path: "Benchmarks/bench", swiftSettings: settings),

    // The vector code of the headers on every processor, with its instructions in plain C.
    .target(
      name: "EmulatedVectors", path: "Tests/EmulatedVectors",
      cSettings: [.headerSearchPath("shim")]),
    .target(
      name: "TestSupport",
      dependencies: [
        "EmulatedVectors", "HoldfastBase", "HoldfastDER", "HoldfastHashes",
        "HoldfastCertificates", "HoldfastSignatures", "HoldfastPaths", "HoldfastSystem",
      ],
      path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "HTTPTestSupport",
      dependencies: ["Holdfast", "HoldfastHTTP", "HoldfastIdentities", "TestSupport"],
      path: "Tests/HTTPTestSupport", exclude: ["server.py"], swiftSettings: settings),
    tests("HoldfastDERTests", "HoldfastDER"),
    tests("HoldfastHashesTests", "HoldfastHashes", "HoldfastConformance"),
    tests(
      "HoldfastSignaturesTests", "HoldfastSignatures", "HoldfastHashes", "HoldfastConformance"),
    tests(
      "HoldfastCertificatesTests", "HoldfastCertificates", "HoldfastDER", "HoldfastConformance"),
    tests(
      "HoldfastFiltersTests", "HoldfastFilters", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes"),
    tests(
      "HoldfastPathsTests", "HoldfastPaths", "HoldfastCertificates", "HoldfastDER",
      "HoldfastFilters", "HoldfastHashes", "HoldfastSignatures", "HoldfastConformance"),
    tests(
      "HoldfastTests", "Holdfast", "HoldfastCertificates", "HoldfastDER", "HoldfastHashes",
      "HoldfastPaths", "HoldfastConformance"),
    tests(
      "HoldfastCompatibilityTests", "HoldfastCompatibility", "Holdfast", "HoldfastCertificates",
      "HoldfastDER", "HoldfastIdentities", "HoldfastConformance"),
    tests(
      "HoldfastConfigurationsTests", "HoldfastConfigurations", "Holdfast", "HoldfastCompatibility",
      "HoldfastConformance", "HoldfastIdentities"),
    tests(
      "HoldfastIdentitiesTests", "HoldfastIdentities", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes"),
    tests(
      "HoldfastOnlineTests", "HoldfastOnline", "Holdfast", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes", "HoldfastPaths", "HoldfastSystem"),
    tests(
      "HoldfastOpenSSLTests", "HoldfastOpenSSL", "Holdfast", "HoldfastCertificates", "HoldfastDER",
      openSSL),
    tests(
      "HoldfastHTTPTests", "HoldfastHTTP", "HoldfastOpenSSL", "HoldfastOnline",
      "HoldfastIdentities", "Holdfast", "HoldfastDER", "HoldfastSystem", "HTTPTestSupport", openSSL),
    tests(
      "HoldfastURLSessionTests", "HoldfastURLSession", "HoldfastHTTP", "HoldfastOpenSSL",
      "HoldfastCompatibility", "HoldfastIdentities", "Holdfast", "HTTPTestSupport"),
    tests(
      "HoldfastNIOTests", "HoldfastNIO", "HoldfastOpenSSL", "HoldfastIdentities", "Holdfast",
      "HoldfastDER", "HTTPTestSupport", .nio("NIOSSL", package: "swift-nio-ssl"), .nio("NIOCore"),
      .nio("NIOEmbedded"), .nio("NIOPosix"), .nio("NIOTLS")),
    tests("HoldfastJSONTests", "HoldfastJSON"),
    // What users write first, with the settings of a dependent that imports what it uses.
    .testTarget(
      name: "FirstGuess",
      dependencies: [
        "Holdfast", "HoldfastCompatibility", "HoldfastConfigurations", "HoldfastHTTP",
        "HoldfastIdentities", "HoldfastNIO", "HoldfastOnline", "HoldfastOpenSSL",
        "HoldfastURLSession", "HTTPTestSupport", "TestSupport",
        .nio("NIOSSL", package: "swift-nio-ssl"), .nio("NIOCore"),
      ],
      exclude: ["Refused"], swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    tests(
      "HoldfastTrustStoresTests", "HoldfastTrustStores", "Holdfast", "HoldfastPaths",
      "HoldfastCertificates", "HoldfastDER", "HoldfastConformance"),
    tests(
      "HoldfastTransparencyTests", "HoldfastTransparency", "Holdfast", "HoldfastPaths",
      "HoldfastCertificates", "HoldfastDER", "HoldfastHashes", "HoldfastConformance", "HoldfastJSON"
    ),
    tests(
      "HoldfastConformanceTests", "HoldfastConformance", "HoldfastConformanceTool",
      "HoldfastPaths", "HoldfastDER", "HoldfastJSON", "HoldfastSystem"),
    tests(
      "HoldfastToolTests", "HoldfastTool", "Holdfast", "HoldfastAnswers", "HoldfastCertificates",
      "HoldfastDER", "HoldfastHashes", "HoldfastOnline", "HoldfastPaths", "HoldfastConformance",
      "HTTPTestSupport", exclude: ["Golden"]),
    tests(
      "ReadmeTests", "Holdfast", "HoldfastOnline", "HoldfastTrustStores", "HoldfastCompatibility",
      "HoldfastConfigurations", "HoldfastIdentities", "HoldfastTransparency"),
  ],
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  /// The module of this package, and the condition under which it is needed.
  var module: (name: String, condition: TargetDependencyCondition?)? {
    switch self {
    case .targetItem(let name, let condition), .byNameItem(let name, let condition):
      (name, condition)
    default: nil
    }
  }
}

// SwiftPM compiles a target again if the module file of a target that it depends on has changed. The
// layout of a type can change in a lower module while the module files in between keep their bytes;
// what uses the type through them would then keep the old layout, and crash. So each target depends
// on all modules below it. What it may import is what stands above, as `Scripts/lint` checks.
let modules = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
for target in package.targets {
  var known = Set(target.dependencies.compactMap(\.module?.name))
  var open = target.dependencies.compactMap(\.module)
  // What is needed without a condition comes first, so that no condition hides it.
  while let next = open.firstIndex(where: { $0.condition == nil }) ?? open.indices.first {
    let (name, condition) = open.remove(at: next)
    for below in modules[name]?.dependencies.compactMap(\.module) ?? []
    where modules[below.name]?.type != .system && known.insert(below.name).inserted {
      let needed = (name: below.name, condition: condition ?? below.condition)
      target.dependencies.append(.target(name: needed.name, condition: needed.condition))
      open.append(needed)
    }
  }
}
// A target of another package depends on the targets of a product, and on none below them.
package.products = package.products.map { product in
  guard let library = product as? Product.Library else { return product }
  let below = library.targets.flatMap { modules[$0]?.dependencies ?? [] }.compactMap(\.module)
    .filter { $0.condition == nil && modules[$0.name]?.type == .regular }
  return .library(name: library.name, targets: library.targets + below.map(\.name))
}
