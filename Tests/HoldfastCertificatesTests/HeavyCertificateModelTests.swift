import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

/// What a model of RFC 5280's ASN.1 says of certificates, cut or with one byte changed:
/// `Vectors/der/make_certificates.py`.
@Suite("Certificates and a model of their ASN.1")
struct HeavyCertificateModelTests {
  private struct Model {
    let diagrams: ByteDiagrams
    /// The certificates by name, and the node of each byte.
    var certificates: [(name: Substring, der: [UInt8], nodes: [Int])] = []

    init() throws {
      diagrams = try ByteDiagrams("der/certificates.txt") { $0 == "=1" ? 1 : 0 }
      let lines = diagrams.lines
      for (first, second) in zip(lines, lines.dropFirst()) where first[0] == "certificate" {
        let nodes = try second.dropFirst(2).map { try diagrams.target($0) }
        certificates.append((first[1], try parseHex(first[2]), nodes))
      }
    }
  }

  /// Whether bytes are read, and nothing about them is against the encoding rules.
  private func conforms(_ der: [UInt8]) -> (Bool, String) {
    do throws(ParseError) {
      let deviations = try Certificate(der: der).deviations
      return (deviations.isEmpty, "\(deviations)")
    } catch {
      return (false, "\(error)")
    }
  }

  @Test("a certificate with one byte changed is accepted without reserve just if it conforms")
  func changes() throws {
    let model = try Model()
    var complaints: [String] = []
    var (count, conforming) = (0, 0)
    for (name, der, nodes) in model.certificates {
      #expect(nodes.count == der.count)
      var changed = der
      for (place, node) in nodes.enumerated() {
        for byte in UInt8.min...UInt8.max {
          changed[place] = byte
          let isExpected = model.diagrams.target(of: node, byte) == 1
          let (isConforming, reason) = conforms(changed)
          if isConforming != isExpected {
            complaints.append("\(name), byte \(place) is \(byte): \(isConforming), \(reason)")
          }
          count += 1
          conforming += isExpected ? 1 : 0
        }
        changed[place] = der[place]
      }
    }
    #expect(complaints.prefix(40) == [])
    #expect(count > 500_000)
    #expect(conforming > 200_000)
  }

  /// X.690 §8.1.3: the length of the outermost element reaches beyond the end.
  @Test("a certificate cut anywhere is rejected where its first length is")
  func truncations() throws {
    for (name, der, _) in try Model().certificates {
      for count in der.indices {
        let error = #expect(throws: ParseError.self, "\(name), \(count) bytes") {
          try Certificate(der: Array(der[..<count]))
        }
        #expect(error?.field == .structure)
        #expect(error?.offset == (count < 2 ? 0 : 1), "\(name), \(count) bytes")
      }
    }
  }
}
