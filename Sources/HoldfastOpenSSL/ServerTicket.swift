internal import Holdfast

/// What a server's session ticket is bound to, stored in it as application data: 32 bytes of
/// policy, two times, and the name that the client asked for.
struct ServerTicket: Equatable {
  /// The verifier, and whether it requires a certificate.
  let policy: [UInt8]
  /// When the verdict about the client is valid.
  let range: ClosedRange<Timestamp>
  /// The server name of the handshake (RFC 6066 §3), empty if the client sent none, and behind a
  /// zero byte the host of a client that is a server itself.
  ///
  /// A server may choose another context by this name, but under TLS 1.3 OpenSSL resumes first.
  let name: [UInt8]

  /// The range of a ticket that is not resumed.
  static let never = Timestamp(secondsSince1970: .min)...Timestamp(secondsSince1970: .min)

  init(policy: [UInt8], range: ClosedRange<Timestamp>, name: [UInt8]) {
    self.policy = policy
    self.range = range
    self.name = name
  }

  init?(_ data: [UInt8]) {
    guard data.count >= 48 else { return nil }
    func number(at start: Int) -> Int64 {
      data[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
    }
    let (first, last) = (number(at: 32), number(at: 40))
    guard first <= last else { return nil }
    policy = Array(data[..<32])
    range = Timestamp(secondsSince1970: first)...Timestamp(secondsSince1970: last)
    name = Array(data[48...])
  }

  /// The application data.
  var data: [UInt8] {
    let times = [range.lowerBound, range.upperBound].flatMap { time in
      stride(from: 56, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: time.secondsSince1970 >> Int64($0))
      }
    }
    return policy + times + name
  }

  /// Returns the name in the server_name extension of a ClientHello; empty without one. RFC 6066
  /// §3.
  static func name(inExtension bytes: [UInt8]) -> [UInt8] {
    do throws(DERError) {
      var reader = DERReader(bytes)
      var list = try reader.readVector(in: bytes)
      // OpenSSL has checked that it is a list of one name, of type 0.
      guard try list.readNumber(bytes: 1, in: bytes) == 0 else { return [] }
      return try list.readVector(in: bytes).rest(in: bytes).array
    } catch {
      return []
    }
  }
}
