// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "ClientCertificates",
  dependencies: [.package(name: "holdfast", path: "../..")],
  targets: [
    .executableTarget(
      name: "ClientCertificates", dependencies: [.product(name: "Holdfast", package: "holdfast")])
  ]
)
