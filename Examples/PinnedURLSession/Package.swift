// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "PinnedURLSession",
  dependencies: [.package(name: "holdfast", path: "../..", traits: ["Curl"])],
  targets: [
    .executableTarget(
      name: "PinnedURLSession",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastURLSession", package: "holdfast"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
