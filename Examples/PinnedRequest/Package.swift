// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "PinnedRequest",
  dependencies: [.package(name: "holdfast", path: "../..", traits: ["Curl"])],
  targets: [
    .executableTarget(
      name: "PinnedRequest",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastHTTP", package: "holdfast"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
