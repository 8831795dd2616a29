// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "CurlClient",
  dependencies: [.package(name: "holdfast", path: "../..", traits: ["OpenSSL"])],
  targets: [
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .executableTarget(
      name: "CurlClient",
      dependencies: ["CCurl", .product(name: "HoldfastOpenSSL", package: "holdfast")]),
  ]
)
