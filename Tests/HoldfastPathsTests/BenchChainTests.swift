import Foundation
import HoldfastCertificates
import HoldfastConformance
import TestSupport
import Testing

@testable import HoldfastPaths

/// The chains that are also measured: those of `Vectors/bench`, and those of the same shapes in the
/// folder `bench` beside the suites that are not committed.
struct BenchChain {
  let leaf: Certificate
  let intermediates: [Certificate]
  let root: Certificate

  static let names = [
    "a_rsa2048", "b_p256", "c_p256_p384root", "d_rsa4096root_mixed", "e_p384", "f_rsapss2048",
    "g_ed25519",
  ]
  static let committed = CommittedVectors.path("bench")
  static let folders =
    [VectorSuites.path(ofFile: "bench"), committed].compactMap(\.self).filter {
      FileManager.default.fileExists(atPath: $0)
    }
  static let isThere = !folders.isEmpty
  static let time = Timestamp(secondsSince1970: 1_794_744_000)
  static let host = "www.bench.example.com"

  init(_ leaf: Certificate, _ intermediates: [Certificate], _ root: Certificate) {
    self.leaf = leaf
    self.intermediates = intermediates
    self.root = root
  }

  /// The first of the folders unless the caller says which.
  init(_ name: String, in folder: String? = nil) throws {
    let folder = try #require(folder ?? BenchChain.folders.first) + "/" + name
    leaf = try BenchChain.read("\(folder)/leaf.der")
    if name.hasPrefix("path_") {
      root = try BenchChain.read("\(folder)/anchor.der")
      intermediates = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        .filter { $0.hasSuffix(".der") && $0 != "leaf.der" && $0 != "anchor.der" }
        .map { try BenchChain.read("\(folder)/\($0)") }
    } else {
      intermediates = [try BenchChain.read("\(folder)/intermediate.der")]
      root = try BenchChain.read("\(folder)/root.der")
    }
  }

  static func read(_ path: String) throws -> Certificate {
    try Certificate(der: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }
}

@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct BenchChainTests {
  @Test("a chain of three is valid for its host", arguments: BenchChain.names, BenchChain.folders)
  func valid(name: String, folder: String) throws {
    let chain = try BenchChain(name, in: folder)
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    let path = try validator.validate(
      [chain.leaf] + chain.intermediates, for: .server(named: BenchChain.host),
      at: BenchChain.time)
    #expect(path.certificates == [chain.leaf] + chain.intermediates + [chain.root])
    #expect(path.anchor.certificate == chain.root)
  }

  @Test(
    "a chain is rejected by rules that do not allow its kind of signature",
    arguments: [
      ("a_rsa2048", .rsaPKCS1), ("b_p256", .ecdsa), ("f_rsapss2048", .rsaPSS),
      ("g_ed25519", .ed25519),
    ] as [(String, ValidationRules.Algorithms)])
  func algorithms(name: String, kind: ValidationRules.Algorithms) throws {
    let chain = try BenchChain(name)
    var rules = ValidationRules.webPKI
    rules.signatures.algorithms.insert(kind)
    for isAllowed in [true, false] {
      if !isAllowed { rules.signatures.algorithms.remove(kind) }
      let validator = PathValidator(anchors: AnchorSet([chain.root]), rules: rules)
      var rejection: PathError?
      do throws(PathError) {
        _ = try validator.validate(
          [chain.leaf] + chain.intermediates, for: .server(named: BenchChain.host),
          at: BenchChain.time)
      } catch {
        rejection = error
      }
      #expect(rejection?.rejections.first?.rule == (isAllowed ? nil : .algorithmNotAllowed))
      #expect(rejection?.rejections.first?.index == (isAllowed ? nil : 0))
    }
  }

  @Test(
    "a chain of three is not valid for another host", arguments: BenchChain.names,
    BenchChain.folders)
  func otherHost(name: String, folder: String) throws {
    let chain = try BenchChain(name, in: folder)
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    let error = #expect(throws: PathError.self) {
      try validator.validate(
        [chain.leaf] + chain.intermediates, for: .server(named: "www.other.example.net"),
        at: BenchChain.time)
    }
    #expect(error?.rejections.first?.rule == .hostName)
    #expect(error?.rejections.first?.index == 0)
  }

  @Test(
    "a mesh of cross-signed CAs below an anchor with another key is rejected",
    arguments: BenchChain.folders)
  func mesh(folder: String) throws {
    let chain = try BenchChain("path_mesh_8", in: folder)
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    let error = #expect(throws: PathError.self) {
      try validator.validate(
        [chain.leaf] + chain.intermediates, for: .server(named: BenchChain.host),
        at: BenchChain.time)
    }
    #expect(error?.cause == .rejected)
  }

  @Test("each of many leaves of one issuer is valid", arguments: ["a_rsa2048", "b_p256", "e_p384"])
  func leaves(name: String) throws {
    let chain = try BenchChain(name, in: BenchChain.committed)
    let file = URL(fileURLWithPath: "\(BenchChain.committed)/\(name)/leaves.der")
    let leaves = CertificateBundle(Array(try Data(contentsOf: file))).certificates
    #expect(Set(leaves).count == 16)
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    for leaf in leaves {
      _ = try validator.validate(
        [leaf] + chain.intermediates, for: .server(named: BenchChain.host),
        at: BenchChain.time)
    }
  }
}
