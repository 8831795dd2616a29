internal import Glibc
internal import HoldfastHashes
internal import HoldfastSignatures

/// Verifies the signatures, digests and points that `signatures.py` writes, a line each, as Embedded
/// Swift.
///
/// Prints a line for each wrong answer, and the counts at the end.
@_cdecl("main")
func main(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>>) -> Int32 {
  var (line, passed, failed): ([UInt8], Int, Int) = ([], 0, 0)
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let length = buffer.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
    guard length > 0 else { break }
    for byte in buffer[..<Int(length)] {
      guard byte == 0x0A else {
        line.append(byte)
        continue
      }
      let test = SignatureTest(line)
      line.removeAll(keepingCapacity: true)
      if test.expected == "acceptable" || (test.expected == "valid") == test.isValid {
        passed += 1
      } else {
        failed += 1
        _ = puts("FAILED \(test.id): not \(test.expected)")
      }
    }
  }
  _ = puts("\(passed) passed, \(failed) failed")
  return failed == 0 && passed > 0 ? 0 : 1
}

/// A line: the kind, the hash functions of the message and of the mask, the length of the salt, the
/// key in one or two numbers, the message, the signature or digest, its context, the right answer, a
/// name. A point has its curve in place of a hash function.
struct SignatureTest {
  private let fields: [ArraySlice<UInt8>]

  init(_ line: [UInt8]) {
    fields = line.split(separator: 0x20, omittingEmptySubsequences: false)
  }

  var expected: String { text(9) }
  var id: String { text(10) }

  /// Whether the signature verifies, or the digest is right; false also if the key is invalid.
  var isValid: Bool {
    do throws(KeyError) {
      let (first, second, message) = (bytes(4), bytes(5), bytes(6))
      let (signature, context) = (bytes(7), bytes(8))
      let key: VerificationKey
      let scheme: SignatureScheme
      switch text(0) {
      case "digest": return hash(1).hash(message).array == signature
      case "point":
        _ = try VerificationKey(curve: curve(text(1)), point: first.span)
        return true
      case "rsa":
        key = try VerificationKey(rsaModulus: first.span, exponent: second.span)
        scheme = .rsaPKCS1(hash(1))
      case "pss":
        key = try VerificationKey(rsaModulus: first.span, exponent: second.span)
        scheme = .rsaPSS(
          PSSParameters(hash: hash(1), maskHash: hash(2), saltLength: Int(text(3)) ?? 0))
      case "ed25519":
        key = try VerificationKey(.ed25519, key: first.span)
        scheme = .ed25519
      case "ed448":
        key = try VerificationKey(.ed448, key: first.span)
        scheme = .ed448
      case "ML-DSA-44": return try isValid(.mldsa44, first, message, signature, context)
      case "ML-DSA-65": return try isValid(.mldsa65, first, message, signature, context)
      case "ML-DSA-87": return try isValid(.mldsa87, first, message, signature, context)
      default:
        key = try VerificationKey(curve: curve(text(0)), point: first.span)
        scheme = .ecdsa(hash(1))
      }
      return key.verify(scheme, message: message.span, signature: signature.span) == .valid
    } catch {
      return false
    }
  }

  private func isValid(
    _ set: MLDSAParameterSet, _ key: [UInt8], _ message: [UInt8], _ signature: [UInt8],
    _ context: [UInt8]
  ) throws(KeyError) -> Bool {
    try MLDSAKey(set, key: key.span)
      .verify(message: message.span, context: context.span, signature: signature.span)
  }

  private func curve(_ name: String) -> NamedCurve {
    switch name {
    case "secp224r1": .p224
    case "secp256r1": .p256
    case "secp384r1": .p384
    case "secp521r1": .p521
    case "brainpoolP256r1": .brainpoolP256r1
    case "brainpoolP384r1": .brainpoolP384r1
    case "brainpoolP512r1": .brainpoolP512r1
    default: .secp256k1
    }
  }

  private func hash(_ index: Int) -> HashAlgorithm {
    let name = text(index)
    return HashAlgorithm.allCases.first { $0.description == name } ?? .sha1
  }

  private func text(_ index: Int) -> String { String(decoding: fields[index], as: UTF8.self) }

  private func bytes(_ index: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for (place, digit) in fields[index].enumerated() {
      let value = digit < 0x3A ? digit &- 0x30 : digit &- 0x57
      if place & 1 == 0 { bytes.append(value << 4) } else { bytes[bytes.count - 1] |= value }
    }
    return bytes
  }
}
