// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of the library do not resolve dependencies that only the
// benchmarks need. Most of the measured declarations have `package` access, which another package
// cannot see, so the targets are built here again from their sources, through the link
// Sources/House and with the library's settings.
let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func house(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/House/\(name)", swiftSettings: settings)
}

let package = Package(
  name: "benchmarks",
  traits: [
    .default(enabledTraits: ["GMP"]),
    .trait(name: "GMP", description: "As in the library's package."),
  ],
  targets: [
    .systemLibrary(
      name: "CHoldfastGMP", path: "Sources/House/CHoldfastGMP", pkgConfig: "gmp",
      providers: [.apt(["libgmp-dev"]), .brew(["gmp"]), .yum(["gmp-devel"])]),
    .systemLibrary(name: "CHoldfastPlatform", path: "Sources/House/CHoldfastPlatform"),
    .systemLibrary(
      name: "CHoldfastInstructions", path: "Sources/House/CHoldfastInstructions"),
    house("HoldfastHashes", "CHoldfastInstructions"),
    house(
      "HoldfastSignatures", .target(name: "CHoldfastGMP", condition: .when(traits: ["GMP"])),
      "CHoldfastInstructions", "HoldfastHashes"),
    house("HoldfastBase", "CHoldfastPlatform"),
    house("HoldfastDER", "HoldfastBase"),
    house("HoldfastCertificates", "HoldfastDER", "HoldfastHashes"),
    house("HoldfastFilters", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates"),
    house(
      "HoldfastPaths", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates", "HoldfastFilters",
      "HoldfastSignatures"),
    house(
      "Holdfast", "HoldfastBase", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastFilters", "HoldfastPaths", "HoldfastTransparency", "HoldfastJSON"),
    house("HoldfastSystem", "HoldfastBase", "CHoldfastPlatform"),
    house("HoldfastJSON", "HoldfastBase"),
    house(
      "HoldfastTransparency", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastSignatures", "HoldfastPaths", "HoldfastJSON"),
    house("HoldfastIdentities", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates"),
    house(
      "HoldfastOnline", "Holdfast", "HoldfastBase", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes", "HoldfastIdentities", "HoldfastPaths", "HoldfastSystem"),
    house(
      "HoldfastCompatibility", "Holdfast", "HoldfastDER", "HoldfastCertificates",
      "HoldfastIdentities", "HoldfastPaths"),

    .systemLibrary(name: "CPeerSystem", path: "peers/system"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Holdfast", "HoldfastCompatibility", "HoldfastHashes", "HoldfastOnline", "HoldfastPaths",
        "HoldfastSignatures", "HoldfastTransparency", "CPeerSystem",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
