import HoldfastHashes
import HoldfastSignatures
import Testing

private func parameterSet(_ line: SignatureLine) -> MLDSAParameterSet? {
  switch line.name.prefix(2) {
  case "44": .mldsa44
  case "65": .mldsa65
  case "87": .mldsa87
  default: nil
  }
}

/// One line of each set of parameters.
private func plainLines() throws -> [SignatureLine] {
  let lines = try SignatureLine.all(in: "mldsa.txt").filter { $0.name.hasSuffix("-plain") }
  #expect(lines.count == 3)
  return lines
}

private func verdict(_ line: SignatureLine) throws -> String {
  let set = try #require(parameterSet(line))
  do throws(KeyError) {
    let key = try MLDSAKey(set, key: line.key.span)
    let isValid = key.verify(
      message: line.message.span, context: line.context.span, signature: line.signature.span)
    let isValidPrepared = key.prepared().verify(
      message: line.message.span, context: line.context.span, signature: line.signature.span)
    guard isValid == isValidPrepared else { return "the prepared key differs" }
    return isValid ? "valid" : "invalid"
  } catch {
    return "\(error)"
  }
}

extension MLDSAKey {
  fileprivate func accepts(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
    verify(message: message.span, signature: signature.span)
  }
}

@Suite("ML-DSA")
struct MLDSATests {
  @Test("keys and signatures get the verdict of FIPS 204 and of OpenSSL")
  func verdicts() throws {
    let lines = try SignatureLine.all(in: "mldsa.txt")
    #expect(lines.count >= 130)
    #expect(lines.filter { $0.verdict == "valid" }.count >= 11)
    var wrong: [String] = []
    for line in lines {
      let ours = try verdict(line)
      if ours != line.verdict { wrong.append("\(line.name): \(ours)") }
    }
    #expect(wrong == [])
  }

  @Test("changing any bit of a signature invalidates it")
  func flippedBits() throws {
    for line in try plainLines() {
      let set = try #require(parameterSet(line))
      let key = try MLDSAKey(set, key: line.key.span).prepared()
      #if DEBUG
        let step = 1009  // unoptimized code takes a hundred times as long
      #else
        let step = 1
      #endif
      var accepted: [Int] = []
      var signature = line.signature
      for bit in stride(from: 0, to: 8 * signature.count, by: step) {
        signature[bit / 8] ^= 1 << (bit % 8)
        if key.accepts(line.message, signature) {
          accepted.append(bit)
        }
        signature[bit / 8] ^= 1 << (bit % 8)
      }
      #expect(accepted == [])
      #expect(key.accepts(line.message, signature))
    }
  }

  @Test("a key or a signature of any other length is rejected")
  func lengths() throws {
    for line in try plainLines() {
      let set = try #require(parameterSet(line))
      #expect(line.key.count == set.keys.length)
      #expect(line.signature.count == set.parameters.signatureLength)
      let key = try MLDSAKey(set, key: line.key.span)
      for length in 0..<5000 where length != line.signature.count {
        let wrong = [UInt8](repeating: 0, count: length)
        #expect(!key.accepts(line.message, wrong))
      }
      for length in 0..<3000 where length != line.key.count {
        let wrong = [UInt8](repeating: 0, count: length)
        #expect(throws: KeyError.wrongLength) {
          _ = try MLDSAKey(set, key: wrong.span)
        }
      }
    }
  }

  @Test("signatures and keys of equal bytes are rejected without a trap")
  func constants() throws {
    for line in try plainLines() {
      let set = try #require(parameterSet(line))
      for byte in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
        let keyBytes = [UInt8](repeating: byte, count: set.keys.length)
        let key = try MLDSAKey(set, key: keyBytes.span)
        let signature = [UInt8](repeating: byte, count: set.parameters.signatureLength)
        #expect(!key.accepts(line.message, signature))
        #expect(!key.accepts(line.message, line.signature))
      }
    }
  }
}
