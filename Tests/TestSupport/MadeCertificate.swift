package import HoldfastCertificates
import HoldfastDER

/// Certificates for tests of checks that ignore signatures: the key is the base point of P-256 and
/// the signature is empty.
package enum Made {
  package static func certificate(
    subject: [UInt8] = [], issuer: [UInt8]? = nil, _ extensions: [UInt8]...
  ) throws -> Certificate {
    let ecdsa = der(0x30, oid("1.2.840.10045.4.3.2"))
    let point =
      try parseHex("04 6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296")
      + parseHex("4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5")
    let key = der(
      0x30, der(0x30, oid("1.2.840.10045.2.1") + oid("1.2.840.10045.3.1.7")) + bits(point))
    let time = der(0x17, Array("250101000000Z".utf8))
    let issuer = issuer ?? name("CN=Made Issuer")
    var fields =
      der(0xA0, der(0x02, [2])) + der(0x02, [1]) + ecdsa + der(0x30, issuer)
      + der(0x30, time + time) + der(0x30, subject) + key
    if !extensions.isEmpty { fields += der(0xA3, der(0x30, extensions.flatMap { $0 })) }
    return try Certificate(
      der: der(0x30, der(0x30, fields) + ecdsa + bits([])), maximumSize: 8 << 20)
  }

  /// Encodes the relative names of a text `CN=…,O=…`, in the order of the text.
  package static func name(_ text: String) -> [UInt8] {
    let types = [
      "C": "2.5.4.6", "O": "2.5.4.10", "OU": "2.5.4.11", "CN": "2.5.4.3",
      "E": "1.2.840.113549.1.9.1",
    ]
    return text.split(separator: ",").flatMap { part in
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      let tag: UInt8 = pair[0] == "E" ? 0x16 : 0x0C
      let attribute = oid(types[pair[0]] ?? "2.5.4.3") + der(tag, Array(pair[1].utf8))
      return der(0x31, der(0x30, attribute))
    }
  }

  package static func alternativeNames(_ names: [UInt8]...) -> [UInt8] { alternativeNames(names) }

  package static func alternativeNames(_ names: [[UInt8]]) -> [UInt8] {
    // Critical, as required if the subject is empty.
    `extension`("2.5.29.17", isCritical: true, der(0x30, names.flatMap { $0 }))
  }

  package static func nameConstraints(
    permitted: [[UInt8]] = [], excluded: [[UInt8]] = []
  ) -> [UInt8] {
    func trees(_ tag: UInt8, _ bases: [[UInt8]]) -> [UInt8] {
      bases.isEmpty ? [] : der(tag, bases.flatMap { der(0x30, $0) })
    }
    return `extension`(
      "2.5.29.30", isCritical: true, der(0x30, trees(0xA0, permitted) + trees(0xA1, excluded)))
  }

  package static func `extension`(_ id: String, isCritical: Bool = false, _ value: [UInt8])
    -> [UInt8]
  {
    der(0x30, oid(id) + (isCritical ? [0x01, 0x01, 0xFF] : []) + der(0x04, value))
  }

  /// Makes an extension with timestamps of logs, whose signatures are empty. RFC 6962 §3.3.
  package static func timestamps(_ times: [(log: [UInt8], milliseconds: UInt64)]) -> [UInt8] {
    func vector(_ bytes: [UInt8]) -> [UInt8] {
      [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
    let items = times.flatMap { log, milliseconds in
      let time = (0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> UInt64(56 - 8 * $0)) }
      return vector([0] + log + time + vector([]) + [4, 3] + vector([]))
    }
    return `extension`("1.3.6.1.4.1.11129.2.4.2", der(0x04, vector(items)))
  }

  package static func dns(_ text: String) -> [UInt8] { der(0x82, Array(text.utf8)) }
  package static func email(_ text: String) -> [UInt8] { der(0x81, Array(text.utf8)) }
  package static func uri(_ text: String) -> [UInt8] { der(0x86, Array(text.utf8)) }
  package static func directory(_ text: String) -> [UInt8] { der(0xA4, der(0x30, name(text))) }
  package static func ip(_ bytes: UInt8...) -> [UInt8] { der(0x87, bytes) }
  package static func other(_ id: String, _ value: [UInt8]) -> [UInt8] {
    der(0xA0, oid(id) + der(0xA0, value))
  }

  package static func oid(_ text: String) -> [UInt8] { der(0x06, OID(text)?.content ?? []) }

  package static func bits(_ bytes: [UInt8]) -> [UInt8] { der(0x03, [0] + bytes) }

  package static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    switch content.count {
    case 0..<0x80: return [tag, UInt8(content.count)] + content
    case 0x80...0xFF: return [tag, 0x81, UInt8(content.count)] + content
    case 0x100...0xFFFF:
      return [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    default:
      let low = [UInt8(content.count >> 8 & 0xFF), UInt8(content.count & 0xFF)]
      return [tag, 0x83, UInt8(content.count >> 16)] + low + content
    }
  }
}
