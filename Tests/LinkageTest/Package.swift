// swift-tools-version: 6.2
import PackageDescription

// Two tiny clients that exist to be looked at by Scripts/linkage.
let package = Package(
  name: "LinkageTest",
  dependencies: [.package(name: "holdfast", path: "../..")],
  targets: [
    .executableTarget(
      name: "ReadsCertificates",
      dependencies: [.product(name: "HoldfastCertificates", package: "holdfast")]),
    .executableTarget(
      name: "UsesHoldfast",
      dependencies: [.product(name: "Holdfast", package: "holdfast")]),
  ]
)
