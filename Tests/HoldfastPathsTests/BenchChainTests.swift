import Foundation
import HoldfastCertificates
import HoldfastConformance
import Testing

@testable import HoldfastPaths

/// The chains that are also measured: `bench` of the vectors.
struct BenchChain {
  let leaf: Certificate
  let intermediates: [Certificate]
  let root: Certificate

  static let names = [
    "a_rsa2048", "b_p256", "c_p256_p384root", "d_rsa4096root_mixed", "e_p384", "f_rsapss2048",
    "g_ed25519",
  ]
  static let isThere = VectorSuites.path(ofFile: "bench/manifest.json") != nil
  static let time = Timestamp(secondsSince1970: 1_794_744_000)
  static let host = "www.bench.example.com"

  init(_ name: String) throws {
    leaf = try BenchChain.read("\(name)/leaf.der")
    if name.hasPrefix("path_") {
      root = try BenchChain.read("\(name)/anchor.der")
      let folder = try #require(VectorSuites.path(ofFile: "bench/\(name)"))
      intermediates = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        .filter { $0.hasSuffix(".der") && $0 != "leaf.der" && $0 != "anchor.der" }
        .map { try BenchChain.read("\(name)/\($0)") }
    } else {
      intermediates = [try BenchChain.read("\(name)/intermediate.der")]
      root = try BenchChain.read("\(name)/root.der")
    }
  }

  static func read(_ file: String) throws -> Certificate {
    let path = try #require(VectorSuites.path(ofFile: "bench/\(file)"))
    return try Certificate(der: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }
}

@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct BenchChainTests {
  @Test("a chain of three is valid for its host", arguments: BenchChain.names)
  func valid(name: String) throws {
    let chain = try BenchChain(name)
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    let path = try validator.validate(
      chain.leaf, intermediates: chain.intermediates, for: .server(BenchChain.host),
      at: BenchChain.time)
    #expect(path.certificates == [chain.leaf] + chain.intermediates + [chain.root])
    #expect(path.anchor.certificate == chain.root)
  }

  @Test("a chain of three is not valid for another host", arguments: BenchChain.names)
  func otherHost(name: String) throws {
    let chain = try BenchChain(name)
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    let error = #expect(throws: PathError.self) {
      try validator.validate(
        chain.leaf, intermediates: chain.intermediates, for: .server("www.other.example.net"),
        at: BenchChain.time)
    }
    #expect(error?.rejections.first?.rule == .hostName)
    #expect(error?.rejections.first?.index == 0)
  }

  @Test("a mesh of cross-signed authorities below an anchor with another key is refused")
  func mesh() throws {
    let chain = try BenchChain("path_mesh_8")
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    let error = #expect(throws: PathError.self) {
      try validator.validate(
        chain.leaf, intermediates: chain.intermediates, for: .server(BenchChain.host),
        at: BenchChain.time)
    }
    #expect(error?.cause == .rejected)
  }
}
