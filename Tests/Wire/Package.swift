// swift-tools-version: 6.3
import PackageDescription

// What Scripts/wire/wire runs besides the tool. A package of its own, as a dependent with the trait is.
let package = Package(
  name: "wire",
  dependencies: [.package(name: "holdfast", path: "../..", traits: ["Curl"])],
  targets: [
    .systemLibrary(name: "COpenSSL"),
    .executableTarget(
      name: "wire",
      dependencies: [
        "COpenSSL",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastHTTP", package: "holdfast"),
        .product(name: "HoldfastIdentities", package: "holdfast"),
        .product(name: "HoldfastOnline", package: "holdfast"),
        .product(name: "HoldfastOpenSSL", package: "holdfast"),
      ]),
    .executableTarget(
      name: "requests",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastCompatibility", package: "holdfast"),
        .product(name: "HoldfastHTTP", package: "holdfast"),
        .product(name: "HoldfastIdentities", package: "holdfast"),
        .product(name: "HoldfastOpenSSL", package: "holdfast"),
        .product(name: "HoldfastTrustStores", package: "holdfast"),
        .product(name: "HoldfastURLSession", package: "holdfast"),
      ]),
    // The first example of the README, whole.
    .executableTarget(
      name: "first",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastHTTP", package: "holdfast"),
      ]),
    // The examples, by links: as packages of their own they would be built from nothing.
    .systemLibrary(name: "CCurl"),
    .executableTarget(
      name: "CurlClient",
      dependencies: ["CCurl", .product(name: "HoldfastOpenSSL", package: "holdfast")]),
    .executableTarget(
      name: "PinnedRequest",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastHTTP", package: "holdfast"),
      ]),
    .executableTarget(
      name: "PinnedURLSession",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastURLSession", package: "holdfast"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
