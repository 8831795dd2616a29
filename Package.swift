// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatWarning("StrictMemorySafety", as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "holdfast",
  products: [
    .library(name: "Holdfast", targets: ["Holdfast"]),
    .library(name: "HoldfastCertificates", targets: ["HoldfastCertificates"]),
    .library(name: "HoldfastConfigurations", targets: ["HoldfastConfigurations"]),
    .library(name: "HoldfastIdentities", targets: ["HoldfastIdentities"]),
    .executable(name: "holdfast", targets: ["HoldfastTool"]),
  ],
  targets: [
    .systemLibrary(
      name: "CHoldfastGMP", pkgConfig: "gmp",
      providers: [.apt(["libgmp-dev"]), .brew(["gmp"]), .yum(["gmp-devel"])]),
    // Only headers: a system library target asks for no source file.
    .systemLibrary(name: "CHoldfastSHA"),
    .systemLibrary(name: "CHoldfastPlatform"),
    .systemLibrary(name: "CHoldfastWords"),

    library("HoldfastDER", "CHoldfastPlatform"),
    library("HoldfastHashes", "CHoldfastSHA"),
    library("HoldfastSignatures", "CHoldfastGMP", "CHoldfastWords", "HoldfastHashes"),
    library("HoldfastCertificates", "HoldfastDER", "HoldfastHashes"),
    library(
      "HoldfastPaths", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastSignatures"),
    library("Holdfast", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates", "HoldfastPaths"),
    library("HoldfastConfigurations", "Holdfast"),
    library("HoldfastIdentities", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates"),
    library(
      "HoldfastConformance", "Holdfast", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates",
      "HoldfastSignatures", "HoldfastPaths"),
    .executableTarget(
      name: "HoldfastTool",
      dependencies: [
        "Holdfast", "HoldfastCertificates", "HoldfastDER", "HoldfastConfigurations",
        "HoldfastConformance", "CHoldfastPlatform",
      ],
      swiftSettings: settings),

    tests("HoldfastDERTests", "HoldfastDER"),
    tests("HoldfastHashesTests", "HoldfastHashes", "HoldfastConformance"),
    tests(
      "HoldfastSignaturesTests", "HoldfastSignatures", "HoldfastHashes", "HoldfastConformance"),
    tests(
      "HoldfastCertificatesTests", "HoldfastCertificates", "HoldfastDER", "HoldfastHashes",
      "HoldfastConformance"),
    tests(
      "HoldfastPathsTests", "HoldfastPaths", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes", "HoldfastSignatures", "HoldfastConformance"),
    tests(
      "HoldfastTests", "Holdfast", "HoldfastPaths", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes", "HoldfastConformance"),
    tests(
      "HoldfastConfigurationsTests", "HoldfastConfigurations", "Holdfast", "HoldfastConformance"),
    tests(
      "HoldfastIdentitiesTests", "HoldfastIdentities", "HoldfastCertificates", "HoldfastDER",
      "HoldfastHashes"),
    tests("HoldfastConformanceTests", "HoldfastConformance"),
    tests("HoldfastToolTests", "HoldfastTool", "HoldfastConformance", "HoldfastDER"),
    tests("HouseTests"),
    tests("ReadmeTests", "Holdfast", "HoldfastConfigurations"),
  ],
  swiftLanguageModes: [.v6]
)
