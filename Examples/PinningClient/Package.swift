// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "PinningClient",
  dependencies: [.package(name: "holdfast", path: "../..")],
  targets: [
    .executableTarget(
      name: "PinningClient", dependencies: [.product(name: "Holdfast", package: "holdfast")])
  ]
)
