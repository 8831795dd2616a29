// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "CustomEvaluator",
  dependencies: [.package(name: "holdfast", path: "../..")],
  targets: [
    .executableTarget(
      name: "CustomEvaluator", dependencies: [.product(name: "Holdfast", package: "holdfast")])
  ]
)
