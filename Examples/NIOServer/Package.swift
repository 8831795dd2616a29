// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "NIOServer",
  dependencies: [
    .package(name: "holdfast", path: "../..", traits: ["NIO"]),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.98.0"),
  ],
  targets: [
    .executableTarget(
      name: "NIOServer",
      dependencies: [
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastIdentities", package: "holdfast"),
        .product(name: "HoldfastNIO", package: "holdfast"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
