// swift-tools-version: 6.3
import PackageDescription

// libFuzzer runs one program; the environment variable HOLDFAST_FUZZ selects its target.
// Scripts/fuzz builds and runs it: swift build --package-path Fuzz --sanitize=fuzzer
let package = Package(
  name: "holdfast-fuzz",
  dependencies: [.package(name: "holdfast", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastCertificates", package: "holdfast"),
        .product(name: "HoldfastConfigurations", package: "holdfast"),
        .product(name: "HoldfastIdentities", package: "holdfast"),
        .product(name: "HoldfastOnline", package: "holdfast"),
        .product(name: "HoldfastTransparency", package: "holdfast"),
        .product(name: "HoldfastTrustStores", package: "holdfast"),
      ],
      swiftSettings: [
        .strictMemorySafety(),
        .unsafeFlags(["-parse-as-library"]),
      ],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
  ],
  swiftLanguageModes: [.v6]
)
