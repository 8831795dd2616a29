// swift-tools-version: 6.3
import PackageDescription

// What `Scripts/bench --http` compares, each a program of its own. A package of its own, because
// only these benchmarks need libcurl and Foundation's networking.
let package = Package(
  name: "http",
  dependencies: [.package(name: "holdfast", path: "../..", traits: ["Curl"])],
  targets: [
    .executableTarget(name: "alone", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "Turns"),
    .executableTarget(
      name: "pinned",
      dependencies: [
        "Turns",
        .product(name: "Holdfast", package: "holdfast"),
        .product(name: "HoldfastHTTP", package: "holdfast"),
      ]),
    .executableTarget(name: "session", dependencies: ["Turns"]),
  ],
  swiftLanguageModes: [.v6]
)
