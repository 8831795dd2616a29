#if Curl
  import Foundation
  import Testing

  @testable import HoldfastHTTP

  /// RFC 1952 and RFC 1951, with streams of zlib.
  @Suite("The content coding gzip") struct GzipReaderTests {
    /// What zlib has compressed.
    private static let text = (0..<40).map { "line \($0 * $0 % 97) of a text\n" }.joined()

    private static let streams: [(name: String, base64: String)] = [
      (
        "dynamic codes",
        "H4sIAAAAAAACA2WRMQ6AMAwDd17RJ9C0SdPnMICEVMHSgecjNpRbrdiO7XFee1rTfaQtzf2Zy/iAHIEagQ6K"
          + "RUQ0IgU3FToGK8c3BVYg1RaRJmBBF06Gm85UeKexUOgoWJ3tsHYuQx2wFP84giKWoEEHS2ElCOqcmIPCPePG"
          + "UY/9kRcxnOHYyQIAAA=="
      ),
      (
        "fixed codes",
        "H4sIAAAAAAACA8vJzEtVMFDIT1NIVChJrSjhygEJGKILmKALWGJoMUMXMTJFFzHGUGOCYY4ZhlUWGK4xxrAK"
          + "Q5OJObqIuRGGLgxzMWwyw1BjiekrDOeYYwYohjmmGLosMUMHM9gxYwbTHAxdphjuscDwKIa3jDBC0AJDlymG"
          + "VUYYHrXAjGLMCMWw3RBDjQVG8JghiwAAMZzh2MkCAAA="
      ),
      (
        "every field of a header",
        "H4sIHgAAAAACAwMAYWJjbmFtZQBjb21tZW50APUHZZExDoAwDAN3XtEn0LRJ0+cwgIRUwdKB5yM2lFut2I7t"
          + "cV57WtN9pC3N/ZnL+IAcgRqBDopFRDQiBTcVOgYrxzcFViDVFpEmYEEXToabzlR4p7FQ6ChYne2wdi5DHbAU"
          + "/ziCIpagQQdLYSUI6pyYg8I948ZRj/2RFzGc4djJAgAA"
      ),
      (
        "two members",
        "H4sIAAAAAAACA2WQuw2AMAwFe6bwCJA4Dh6HIkiRImhSMD5K62tP72O/0Z8mu7y3XDLbN7exwBGBRuCwWCSp"
          + "RJKhUeQYqk5ck1EFk9ZIaoILuWgyaJxf4ZzKQZFT4PK1zg9ZLKFxkAEAAB+LCAAAAAAAAgNTSFQoSa0o4crJ"
          + "zEtVMDFRyE9TQBaxNEQXMTHGUIOhy9QAXcQCXcDMFF3EyBxDE4YuUwyrjIwwdFli2IXhCWMM2w0x1FiYYZiD"
          + "LAIAnukGBjkBAAA="
      ),
    ]

    private static func bytes(_ base64: String) throws -> [UInt8] {
      [UInt8](try #require(Data(base64Encoded: base64)))
    }

    /// What a stream holds, read in pieces of this length, and whether it may end there.
    private static func read(
      _ bytes: [UInt8], piece: Int = .max, limit: Int = .max
    ) throws(GzipReader.Problem) -> (text: String, isComplete: Bool) {
      var reader = GzipReader()
      var (output, start) = ([UInt8](), 0)
      while start < bytes.count {
        let end = min(bytes.count, start + min(piece, bytes.count))
        var offset = 0
        while true {
          var more: [UInt8] = []
          try reader.read(bytes[start..<end].span, from: &offset, to: &more, limit: limit)
          if more.isEmpty { break }
          output += more
        }
        start = end
      }
      return (String(decoding: output, as: UTF8.self), reader.isComplete)
    }

    @Test("a stream of zlib is read, however it is cut into pieces", arguments: streams)
    func read(name: String, base64: String) throws {
      let bytes = try Self.bytes(base64)
      for (piece, limit) in [(Int.max, Int.max), (1, .max), (.max, 1), (7, 11)] {
        let (text, isComplete) = try Self.read(bytes, piece: piece, limit: limit)
        #expect(text == Self.text && isComplete)
      }
    }

    @Test("a stored block is read")
    func stored() throws {
      // RFC 1951 §3.2.4; CRC-32 of "hello" by Python's zlib.
      let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xFA, 0xFF]
      let tail: [UInt8] = [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
      #expect(try Self.read(head + Array("hello".utf8) + tail) == ("hello", true))
      #expect(try Self.read([]) == ("", true))
    }

    /// RFC 1952 §2.2: what follows a member is another one.
    @Test("what follows a stream and is no other member is an error at its place")
    func trailing() throws {
      let stream = try Self.bytes(Self.streams[1].base64)
      for (more, first) in [([0] as [UInt8], 0), ([0x1F, 0], 1), ([0x1F, 0x8B, 7], 2)] {
        let error = #expect(throws: GzipReader.Problem.self) {
          try Self.read(stream + more + [0, 0])
        }
        let text = error?.text ?? ""
        #expect(text.contains("byte \(stream.count + first)"), "\(text)")
        #expect(text.contains("after its end"), "\(text)")
      }
      let error = #expect(throws: GzipReader.Problem.self) { try Self.read([0x1F, 0, 0]) }
      #expect(error?.text == "it is no gzip stream")
    }

    @Test("empty blocks are read, of each kind, and however many")
    func emptyBlocks() throws {
      // RFC 1951 §3.2.3: a block of the fixed code has 3 bits before its end, which has 7. So eight of
      // them have ten bytes, here repeated; the last one is marked.
      var bits: [Bool] = []
      for _ in 0..<1_000 { bits += [false, true, false] + [Bool](repeating: false, count: 7) }
      bits += [true, true, false] + [Bool](repeating: false, count: 7)
      bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
      let blocks = stride(from: 0, to: bits.count, by: 8).map { start in
        (0..<8).reduce(UInt8(0)) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) }
      }
      let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
      let stored = (0..<3).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }
      let end = [UInt8](repeating: 0, count: 8)
      #expect(try Self.read(head + stored + blocks + end) == ("", true))
    }

    @Test("no part of a stream is a whole one, but for whole members", arguments: streams)
    func cuts(name: String, base64: String) throws {
      let bytes = try Self.bytes(base64)
      for count in 1..<bytes.count {
        let (text, isComplete) = try Self.read(Array(bytes[..<count]))
        #expect(Self.text.hasPrefix(text))
        // The first member of two has the first 400 bytes.
        #expect(!isComplete || name == "two members" && text.utf8.count == 400, "\(count)")
      }
    }

    @Test("no flipped bit changes the text of a stream", arguments: streams)
    func flips(name: String, base64: String) throws {
      var bytes = try Self.bytes(base64)
      for index in bytes.indices {
        for bit in 0..<8 {
          bytes[index] ^= 1 << bit
          defer { bytes[index] ^= 1 << bit }
          do throws(GzipReader.Problem) {
            let (text, isComplete) = try Self.read(bytes)
            #expect(!isComplete || text == Self.text, "bit \(bit) of byte \(index)")
          } catch {
            continue
          }
        }
      }
    }
  }
#endif
