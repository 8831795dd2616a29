// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Reload",
  dependencies: [.package(name: "holdfast", path: "../..")],
  targets: [
    .executableTarget(
      name: "Reload",
      dependencies: [
        .product(name: "HoldfastConfigurations", package: "holdfast")
      ])
  ]
)
