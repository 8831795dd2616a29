#if os(Linux)
  import Foundation
  import HoldfastHashes
  import TestSupport
  import Testing

  @testable import HoldfastIdentities

  /// What is left of a key in the memory of the process after the last reference to it is gone.
  ///
  /// The whole memory is searched, so `Scripts/test` runs this suite in a process of its own: the memory
  /// of other tests comes and goes meanwhile. Without optimization copies stay on the stack.
  @Suite(
    "Secrets in memory", .serialized,
    .enabled(
      if: ProcessInfo.processInfo.environment["HOLDFAST_ALONE"] != nil,
      "in a process of its own, in release: HOLDFAST_ALONE=1 swift test --filter Tests.MemoryTests"
    ))
  struct MemoryTests {
    /// How often the bytes stand in the memory that the process may write.
    private func count(_ pattern: InvertedPattern) throws -> Int {
      let memory = try #require(FileHandle(forReadingAtPath: "/proc/self/mem"))
      var found = 0
      for line in try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        .split(separator: "\n")
      {
        let words = line.split(separator: " ")
        let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard words[1].hasPrefix("rw"), ends.count == 2 else { continue }
        for start in stride(from: ends[0], to: ends[1], by: 1 << 20) {
          try memory.seek(toOffset: start)
          // Some special areas cannot be read. A pattern may lie across two pieces.
          let length = Int(min(ends[1] - start, 1 << 20 + UInt64(pattern.count)))
          guard var data = try? memory.read(upToCount: length) else { break }
          var bytes = [UInt8](data)
          // What was read must not be found the next time.
          data.resetBytes(in: data.indices)
          found += pattern.occurrences(in: bytes.span)
          SecretBytes.overwrite(&bytes)
        }
      }
      return found
    }

    /// A key that no other test has, as PEM, and a part of it.
    private static func made() -> (text: [UInt8], pattern: InvertedPattern) {
      // RFC 8410 §7.
      var der: [UInt8] = []
      der.reserveCapacity(48)
      der += [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22]
      der += [0x04, 0x20]
      for _ in 0..<32 { der.append(UInt8.random(in: 0...255)) }
      let pattern = InvertedPattern(der[24..<40].map { ~$0 })
      var data = Data(der)
      SecretBytes.overwrite(&der)
      let base64 = data.base64EncodedString()
      data.resetBytes(in: data.indices)
      return (
        Array("-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n".utf8), pattern
      )
    }

    @Test("nothing is left of a PEM key after its last reference")
    func pem() throws {
      let (text, pattern) = Self.made()
      #expect(try count(pattern) == 0)
      do {
        let key = try PrivateKey(pem: text)
        #expect(try count(pattern) > 0)
        #expect(key.kind == .raw(.ed25519))
      }
      #expect(try count(pattern) == 0)
    }

    @Test("nothing is left of the words of a password or of round keys")
    func password() throws {
      var text: [UInt8] = (0..<24).map { _ in UInt8.random(in: 0x61...0x7A) }
      let pattern = InvertedPattern(text[4..<20].flatMap { [~$0, 0xFF] })
      do {
        var password = Password(String(decoding: text, as: UTF8.self))
        password.overwrite()
      }
      SecretBytes.overwrite(&text)
      #expect(try count(pattern) == 0)
      var key: [UInt8] = (0..<32).map { _ in UInt8.random(in: 0...255) }
      // The last four round keys but one are the first four words of the key. FIPS 197 §5.2.
      let words = stride(from: 0, to: 16, by: 4).flatMap { start in
        key[start..<start + 4].reversed().map { ~$0 }
      }
      let first = InvertedPattern(words)
      do {
        let cipher = try #require(AES(key: key))
        #expect(try count(first) > 0)
        var block = [16 of UInt8](repeating: 0)
        cipher.decrypt(&block)
      }
      SecretBytes.overwrite(&key)
      #expect(try count(first) == 0)
    }
  }
#endif
