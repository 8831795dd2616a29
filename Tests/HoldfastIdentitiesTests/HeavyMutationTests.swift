import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastIdentities

/// Each file cut at every length and flipped at every byte: for the release build.
@Suite("Damaged files") struct HeavyMutationTests {
  /// What a caller sees of a file: its certificates, lists and keys, or that it was rejected.
  private static func outcome(_ name: String, _ bytes: [UInt8], _ password: String?) -> [String]? {
    do throws(IdentityError) {
      if name.hasSuffix(".pem") {
        let identity = try Identity(pem: bytes, password: password)
        return identity.chain.map(\.sha256) + ["\(identity.privateKey.kind)"]
      }
      if name.contains(".p7") {
        let bundle = try PKCS7(bytes)
        return bundle.certificates.map(\.sha256) + ["\(bundle.crls.count)"]
      }
      let contents = try PKCS12(bytes).open(
        password: password, options: IdentityOptions(maximumIterations: 20_000))
      return contents.identities.flatMap { $0.chain.map(\.sha256) + ["\($0.privateKey.kind)"] }
    } catch {
      return nil
    }
  }

  /// The time that something takes; the best of three where another process may have got in
  /// between.
  private static func time(_ body: () -> Void) -> Duration {
    var best = ContinuousClock().measure(body)
    for _ in 0..<2 where best > .milliseconds(50) {
      best = min(best, ContinuousClock().measure(body))
    }
    return best
  }

  /// A case for each file that is opened, with its password; the files with many iterations are
  /// left out, for each of their thousands of variants would take seconds.
  static let cases: [(name: String, password: String?)] = {
    var cases: [(name: String, password: String?)] = []
    do {
      let read = try ExpectedFile.all("files", of: "expected.txt")
      for file in read where !file.isSlow && !cases.contains(where: { $0.name == file.name }) {
        cases.append((file.name, try file.password()))
      }
      for line in try VectorLine.all(of: "expected.txt") where line.kind == "bundle" {
        cases.append((try line.text("file"), nil))
      }
    } catch {
      Issue.record(error)
    }
    return cases
  }()

  @Test("a truncated file is rejected, or has no contents that the whole file does not have")
  func cut() throws {
    #expect(Self.cases.count > 80)
    var longest = Duration.zero
    for (name, password) in Self.cases {
      let bytes = try CommittedVectors.bytes("identities/files/\(name)")
      let whole = Self.outcome(name, bytes, password).map { Set($0) }
      for length in stride(from: 0, to: bytes.count, by: 1) {
        let cut = Array(bytes.prefix(length))
        var outcome: [String]?
        longest = max(longest, Self.time { outcome = Self.outcome(name, cut, password) })
        // A PEM text may lose its last certificates at the end of a block; DER is whole or nothing.
        guard let whole, let outcome else { continue }
        let isRest = name.contains("pem") && whole.isSuperset(of: outcome)
        #expect(isRest, "\(name) cut to \(length): \(outcome)")
      }
    }
    #expect(longest < .seconds(1), "\(longest)")
  }

  @Test("a file with a changed byte is rejected, or has the same contents where a MAC covers them")
  func flipped() throws {
    var longest = (time: Duration.zero, name: "")
    for (name, password) in Self.cases {
      let bytes = try CommittedVectors.bytes("identities/files/\(name)")
      let whole = Self.outcome(name, bytes, password)
      let isAuthenticated =
        name.hasSuffix(".p12") && !name.contains("nomac") && !name.contains("pyca-plain")
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= index % 2 == 0 ? 0x01 : 0x80
        var outcome: [String]?
        let time = Self.time { outcome = Self.outcome(name, changed, password) }
        if time > longest.time { longest = (time, "\(name) at \(index)") }
        // Without a code over it, a file can say anything; one that is wrong may become right.
        guard isAuthenticated, let whole, let outcome else { continue }
        #expect(outcome == whole, "\(name) changed at \(index)")
      }
    }
    #expect(longest.time < .seconds(1), "\(longest)")
  }
}
