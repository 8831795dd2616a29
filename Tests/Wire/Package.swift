// swift-tools-version: 6.3
import PackageDescription

// What Scripts/wire runs besides the tool. A package of its own, as a dependent with the trait is.
let package = Package(
  name: "wire",
  dependencies: [.package(name: "holdfast", path: "../..", traits: ["OpenSSL"])],
  targets: [
    .systemLibrary(name: "COpenSSL"),
    .executableTarget(
      name: "wire",
      dependencies: [
        "COpenSSL",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastCompatibility", package: "holdfast"),
        .product(name: "HoldfastIdentities", package: "holdfast"),
        .product(name: "HoldfastOpenSSL", package: "holdfast"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
