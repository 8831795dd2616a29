internal import Glibc
internal import HoldfastIdentities

/// Reads encrypted keys whose numbers are as high as they may be: their products are more than an
/// `Int` of 32 bits holds. Each must be an error of a limit. The clock must go beyond 2038.
@_cdecl("main")
func main(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>>) -> Int32 {
  let highest: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF]
  let (million, two): ([UInt8], [UInt8]) = ([0x00, 0x10, 0x00, 0x00], [0x02])
  let keys: [(name: String, derivation: [UInt8])] = [
    ("PBKDF2 with 2,147,483,647 iterations", pbkdf2(iterations: highest)),
    ("scrypt with N and r of 2^30", scrypt([0x40, 0, 0, 0], [0x40, 0, 0, 0], [1])),
    ("scrypt with r and p of 2,147,483,647", scrypt(two, highest, highest)),
    ("scrypt with N and p of 2^20", scrypt(million, [1], million)),
  ]
  var failed = 0
  for key in keys {
    do throws(IdentityError) {
      _ = try PrivateKey(encryptedPKCS8: encrypted(key.derivation), password: "x")
      _ = puts("FAILED \(key.name): it is accepted")
      failed += 1
    } catch {
      if case .limit = error.problem { continue }
      _ = puts("FAILED \(key.name): \(error)")
      failed += 1
    }
  }
  if MemoryLayout<time_t>.size != 8 || time(nil) < 1_700_000_000 {
    _ = puts("FAILED the clock: its times end in 2038")
    failed += 1
  }
  _ = puts("\(keys.count + 1 - failed) passed, \(failed) failed")
  return failed == 0 ? 0 : 1
}

private func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
  [tag] + (content.count < 0x80 ? [] : [0x81]) + [UInt8(content.count)] + content
}

private func integer(_ bytes: [UInt8]) -> [UInt8] {
  let digits = Array(bytes.drop { $0 == 0 })
  return tagged(0x02, digits)
}

private let salt: [UInt8] = tagged(0x04, [1, 2, 3, 4, 5, 6, 7, 8])

/// RFC 8018 appendix A.2, by HMAC with SHA-1.
private func pbkdf2(iterations: [UInt8]) -> [UInt8] {
  tagged(
    0x30,
    tagged(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C])
      + tagged(0x30, salt + integer(iterations)))
}

/// RFC 7914 §7.
private func scrypt(_ rounds: [UInt8], _ size: [UInt8], _ parallelization: [UInt8]) -> [UInt8] {
  tagged(
    0x30,
    tagged(0x06, [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B])
      + tagged(0x30, salt + integer(rounds) + integer(size) + integer(parallelization)))
}

/// EncryptedPrivateKeyInfo with PBES2 and AES-256-CBC. RFC 5958 §3.
private func encrypted(_ derivation: [UInt8]) -> [UInt8] {
  let cipher = tagged(
    0x30,
    tagged(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A])
      + tagged(0x04, [UInt8](repeating: 0, count: 16)))
  let scheme = tagged(
    0x30,
    tagged(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D])
      + tagged(0x30, derivation + cipher))
  return tagged(0x30, scheme + tagged(0x04, [UInt8](repeating: 0, count: 32)))
}
