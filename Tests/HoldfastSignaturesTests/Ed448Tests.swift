import HoldfastSignatures
import Testing

#if DEBUG
  /// Unoptimized code takes a hundred times as long.
  private let isQuick = true
#else
  private let isQuick = false
#endif

private func verdict(_ line: SignatureLine) -> String {
  do throws(KeyError) {
    let key = try Ed448Key(line.key.span)
    let isValid = key.verify(
      message: line.message.span, context: line.context.span, signature: line.signature.span)
    return isValid ? "valid" : "invalid"
  } catch {
    return "\(error)"
  }
}

@Suite("Ed448")
struct Ed448Tests {
  @Test("the vectors of RFC 8032 §7.4 are valid")
  func published() throws {
    let lines = try SignatureLine.all(in: "rfc8032-ed448.txt")
    #expect(lines.count == 9)
    #expect(lines.filter { verdict($0) != $0.verdict }.map(\.name) == [])
  }

  @Test("keys and signatures, OpenSSL's and crafted, get the verdict of RFC 8032 §5.2.7")
  func crafted() throws {
    let lines = try SignatureLine.all(in: "ed448.txt").filter {
      !isQuick || !$0.name.hasPrefix("random-") || $0.name.utf8.count < 9
    }
    #expect(lines.count > 100)
    let wrong = lines.filter { verdict($0) != $0.verdict }
    #expect(wrong.map { "\($0.name): \(verdict($0))" } == [])
  }

  @Test("changing any bit of a signature or a key invalidates it")
  func flippedBits() throws {
    let line = try #require(try SignatureLine.all(in: "rfc8032-ed448.txt").first)
    let step = isQuick ? 37 : 1
    var accepted: [String] = []
    for bit in stride(from: 0, to: 8 * line.signature.count, by: step) {
      var changed = line
      changed.signature[bit / 8] ^= 1 << (bit % 8)
      if verdict(changed) == "valid" { accepted.append("signature bit \(bit)") }
    }
    for bit in stride(from: 0, to: 8 * line.key.count, by: step) {
      var changed = line
      changed.key[bit / 8] ^= 1 << (bit % 8)
      if verdict(changed) == "valid" { accepted.append("key bit \(bit)") }
    }
    #expect(accepted == [])
  }

  /// The neutral element (0, 1), (0, −1) of order 2, and (±1, 0) of order 4.
  @Test("the four points of small order are not keys")
  func smallOrder() {
    let neutral = [0x01] + [UInt8](repeating: 0, count: 56)
    let ofOrderTwo =
      [0xFE] + [UInt8](repeating: 0xFF, count: 27) + [0xFE] + [UInt8](repeating: 0xFF, count: 27)
      + [0x00]
    let ofOrderFour = [UInt8](repeating: 0, count: 57)
    let itsNegative = [UInt8](repeating: 0, count: 56) + [0x80]
    for bytes in [neutral, ofOrderTwo, ofOrderFour, itsNegative] {
      #expect(throws: KeyError.smallOrder) { try Ed448Key(bytes.span) }
    }
  }

  @Test("a signature or a key cut at any length is rejected")
  func cut() throws {
    let line = try #require(try SignatureLine.all(in: "rfc8032-ed448.txt").first)
    for length in 0..<line.signature.count {
      var changed = line
      changed.signature = Array(line.signature.prefix(length))
      #expect(verdict(changed) == "invalid")
    }
    for length in 0..<line.key.count {
      var changed = line
      changed.key = Array(line.key.prefix(length))
      #expect(verdict(changed) == "wrongLength")
    }
  }

  @Test("the message with an empty context is what certificates sign")
  func emptyContext() throws {
    let lines = try SignatureLine.all(in: "rfc8032-ed448.txt")
    #expect(lines.contains { $0.context.isEmpty } && lines.contains { !$0.context.isEmpty })
    for line in lines {
      let key = try Ed448Key(line.key.span)
      let isValid = key.verify(message: line.message.span, signature: line.signature.span)
      #expect(isValid == line.context.isEmpty)
    }
  }
}
