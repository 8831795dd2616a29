// swift-tools-version: 6.3
import PackageDescription

// libFuzzer runs one program; the environment variable HOLDFAST_FUZZ selects its target.
// Scripts/fuzz builds and runs it: swift build --package-path Fuzz --sanitize=fuzzer
//
// The targets are built here again through the link Sources/House: what is fuzzed
// has `package` access as often as not.
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
  name: "holdfast-fuzz",
  traits: [
    .default(enabledTraits: ["GMP"]),
    .trait(name: "GMP", description: "As in the library's package."),
  ],
  targets: [
    .systemLibrary(name: "CHoldfastGMP", path: "Sources/House/CHoldfastGMP", pkgConfig: "gmp"),
    .systemLibrary(name: "CHoldfastPlatform", path: "Sources/House/CHoldfastPlatform"),
    .systemLibrary(
      name: "CHoldfastInstructions", path: "Sources/House/CHoldfastInstructions"),
    house("HoldfastBase", "CHoldfastPlatform"),
    house("HoldfastDER", "HoldfastBase"),
    house("HoldfastHashes", "CHoldfastInstructions"),
    house(
      "HoldfastSignatures", .target(name: "CHoldfastGMP", condition: .when(traits: ["GMP"])),
      "CHoldfastInstructions", "HoldfastHashes"),
    house("HoldfastCertificates", "HoldfastDER", "HoldfastHashes"),
    house("HoldfastFilters", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates"),
    house(
      "HoldfastPaths", "HoldfastBase", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastFilters", "HoldfastSignatures"),
    house("HoldfastJSON", "HoldfastBase"),
    house("HoldfastSystem", "HoldfastBase", "CHoldfastPlatform"),
    house(
      "HoldfastTransparency", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastSignatures", "HoldfastPaths", "HoldfastJSON"),
    house(
      "Holdfast", "HoldfastBase", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastFilters", "HoldfastPaths", "HoldfastTransparency", "HoldfastJSON"),
    house("HoldfastConfigurations", "Holdfast"),
    house(
      "HoldfastTrustStores", "Holdfast", "HoldfastBase", "HoldfastDER", "HoldfastCertificates",
      "HoldfastPaths", "HoldfastJSON"),
    house("HoldfastIdentities", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates"),
    house(
      "HoldfastOnline", "Holdfast", "HoldfastBase", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes", "HoldfastIdentities", "HoldfastPaths", "HoldfastSystem"),
    // The rest of the module needs libcurl.
    .target(
      name: "HoldfastHTTP", path: "Sources/House/HoldfastHTTP", sources: ["GzipReader.swift"],
      swiftSettings: settings + [.define("Curl")]),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Holdfast", "HoldfastBase", "HoldfastCertificates", "HoldfastConfigurations", "HoldfastDER",
        "HoldfastHTTP", "HoldfastHashes", "HoldfastIdentities", "HoldfastJSON", "HoldfastOnline",
        "HoldfastPaths", "HoldfastTransparency", "HoldfastTrustStores",
      ],
      swiftSettings: [
        .strictMemorySafety(),
        .unsafeFlags(["-parse-as-library"]),
      ],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ],
  swiftLanguageModes: [.v6]
)
