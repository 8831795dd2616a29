import Holdfast
import Testing

@testable import HoldfastOpenSSL

/// The Certificate message of TLS 1.2 and of TLS 1.3, byte by byte.
@Suite("Certificates on the wire") struct CertificateMessageTests {
  private static let chain: [[UInt8]] = [[0x30, 0x80, 0, 0], [0x30, 0x00], []]

  /// RFC 8446 §3.4: a vector begins with its length.
  private static func vector(_ size: Int, _ content: [UInt8]) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) } + content
  }

  /// RFC 5246 §7.4.2, and RFC 8446 §4.4.2 with a context and extensions.
  private static func message(_ hasExtensions: Bool, context: [UInt8] = []) -> [UInt8] {
    let entries = chain.map { vector(3, $0) + (hasExtensions ? vector(2, [0, 5, 0, 0]) : []) }
    let list = vector(3, entries.flatMap(\.self))
    return [11] + vector(3, (hasExtensions ? vector(1, context) : []) + list)
  }

  @Test("the certificates are the bytes of the message, DER or not", arguments: [false, true])
  func certificates(hasExtensions: Bool) throws {
    let message = Self.message(hasExtensions)
    let read = try #require(CertificateMessage(message, hasExtensions: hasExtensions))
    #expect(read.certificates == Self.chain)
  }

  @Test("a context, as after the handshake, is passed over")
  func context() throws {
    let message = Self.message(true, context: [1, 2, 3])
    let read = try #require(CertificateMessage(message, hasExtensions: true))
    #expect(read.certificates == Self.chain)
  }

  @Test("a message that is cut anywhere, or goes on, is rejected", arguments: [false, true])
  func cut(hasExtensions: Bool) {
    let message = Self.message(hasExtensions)
    for count in message.indices {
      #expect(
        CertificateMessage(Array(message.prefix(count)), hasExtensions: hasExtensions) == nil)
    }
    #expect(CertificateMessage(message + [0], hasExtensions: hasExtensions) == nil)
  }

  @Test(
    "a flipped bit is rejected, or changes what is read, unless it is in an extension",
    arguments: [false, true])
  func flipped(hasExtensions: Bool) throws {
    let message = Self.message(hasExtensions)
    // Type, status_request with an empty body: four bytes for each certificate, which are not read.
    let ignored = [UInt8]([0, 5, 0, 0])
    var same: Set<Int> = []
    for index in message.indices {
      for bit in 0..<8 {
        var other = message
        other[index] ^= 1 << bit
        guard let read = CertificateMessage(other, hasExtensions: hasExtensions) else { continue }
        let others = zip(read.certificates, Self.chain).filter { $0 != $1 }
        if others.isEmpty, read.certificates.count == Self.chain.count { same.insert(index) }
      }
    }
    let extensions = message.indices.filter { start in
      message[start...].starts(with: [0, 4] + ignored)
    }
    #expect(extensions.count == (hasExtensions ? Self.chain.count : 0))
    #expect(same == Set(extensions.flatMap { $0 + 2..<$0 + 6 }))
  }

  @Test("what follows the list is rejected, and a certificate without its extensions")
  func ends() {
    func isRead(_ body: [UInt8], hasExtensions: Bool) -> Bool {
      CertificateMessage([11] + Self.vector(3, body), hasExtensions: hasExtensions) != nil
    }
    let certificate = Self.vector(3, [0x30, 0])
    let (old, new) = (Self.vector(3, certificate), [0] + Self.vector(3, certificate + [0, 0]))
    #expect(isRead(old, hasExtensions: false) && isRead(new, hasExtensions: true))
    #expect(!isRead(old + [0], hasExtensions: false) && !isRead(new + [0], hasExtensions: true))
    #expect(!isRead([0] + old, hasExtensions: true))
  }

  @Test("another message is not one of certificates")
  func otherType() {
    var message = Self.message(true)
    message[0] = 13
    #expect(CertificateMessage(message, hasExtensions: true) == nil)
  }
}

@Suite("Tickets of a server") struct ServerTicketTests {
  private let ticket = ServerTicket(
    policy: Array(0..<32),
    range: Timestamp(secondsSince1970: -5)...Timestamp(secondsSince1970: 1 << 40),
    name: Array("a.example".utf8))

  @Test("a ticket keeps its policy, its range and its name")
  func data() {
    #expect(ServerTicket(ticket.data) == ticket)
    let moment = ServerTicket(
      policy: ticket.policy, range: ticket.range.lowerBound...ticket.range.lowerBound, name: [])
    #expect(ServerTicket(moment.data) == moment)
  }

  @Test("data that is too short, or whose times are in the wrong order, is no ticket")
  func malformed() {
    for count in 0..<48 { #expect(ServerTicket(Array(ticket.data.prefix(count))) == nil) }
    var data = ticket.data
    for index in 0..<8 { data.swapAt(32 + index, 40 + index) }
    #expect(ServerTicket(data) == nil)
  }

  /// RFC 6066 §3.
  @Test("the name is that of the server_name extension, and empty if it cannot be read")
  func name() {
    let bytes: [UInt8] = [0, 6, 0, 0, 3] + Array("a.b".utf8)
    #expect(ServerTicket.name(inExtension: bytes) == Array("a.b".utf8))
    for count in bytes.indices {
      #expect(ServerTicket.name(inExtension: Array(bytes.prefix(count))) == [])
    }
    #expect(ServerTicket.name(inExtension: [0, 6, 1, 0, 3] + Array("a.b".utf8)) == [])
  }
}
