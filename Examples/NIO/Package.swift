// swift-tools-version: 6.3
import PackageDescription

/// An executable on swift-nio. A framework is named in a trait: without the trait it is not fetched.
func example(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      .product(name: "Holdfast", package: "holdfast"),
      .product(name: "HoldfastIdentities", package: "holdfast"),
      .product(name: "HoldfastNIO", package: "holdfast"),
      .product(name: "HoldfastTrustStores", package: "holdfast"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "NIOSSL", package: "swift-nio-ssl"),
    ] + dependencies)
}

func framework(_ product: String, _ package: String, _ trait: String) -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: [trait]))
}

let package = Package(
  name: "NIO",
  platforms: [.macOS(.v26)],
  traits: ["Vapor", "Hummingbird", "GRPC", "AsyncHTTPClient", "PostgresNIO", "Certificates"],
  dependencies: [
    .package(name: "holdfast", path: "../..", traits: ["NIO"]),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.98.0"),
    .package(url: "https://github.com/vapor/vapor.git", from: "4.122.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.26.0"),
    .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.0"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.0"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.33.0"),
    .package(url: "https://github.com/vapor/postgres-nio.git", from: "1.33.0"),
    .package(url: "https://github.com/apple/swift-certificates.git", from: "1.19.0"),
  ],
  targets: [
    example("NIOServer"),
    example("NIOClient"),
    example("Workload"),
    example("VaporServer", framework("Vapor", "vapor", "Vapor")),
    example(
      "HummingbirdServer", framework("Hummingbird", "hummingbird", "Hummingbird"),
      framework("HummingbirdCore", "hummingbird", "Hummingbird")),
    example(
      "GRPCEcho", framework("GRPCCore", "grpc-swift-2", "GRPC"),
      framework("GRPCNIOTransportHTTP2", "grpc-swift-nio-transport", "GRPC")),
    example(
      "AsyncHTTPRequest", framework("AsyncHTTPClient", "async-http-client", "AsyncHTTPClient")),
    example("PostgresQuery", framework("PostgresNIO", "postgres-nio", "PostgresNIO")),
    example("CertificatesCallback", framework("X509", "swift-certificates", "Certificates")),
  ],
  swiftLanguageModes: [.v6]
)
