import HoldfastHashes
import TestSupport
import Testing

/// A line of Vectors/hashes/sha3.txt, which make_sha3.py there describes.
private struct Case: Sendable {
  let function: String
  let length: Int
  let output: [UInt8]

  var message: [UInt8] { (0..<length).map { UInt8((31 * $0 + 17 * length) % 251) } }

  static func all() throws -> [Case] {
    try CommittedVectors.lines("hashes/sha3.txt").map { parts in
      try #require(parts.count == 3)
      let output = try parseHex(parts[2])
      // Of most digests the file has the beginning, and of none nothing.
      try #require(output.count >= 8)
      return Case(function: parts[0], length: try #require(Int(parts[1])), output: output)
    }
  }
}

private let digests: [String: SHA3.Variant] = [
  "sha3-224": .sha3_224, "sha3-256": .sha3_256, "sha3-384": .sha3_384, "sha3-512": .sha3_512,
]
private let streams: [String: SHAKE.Variant] = ["shake128": .shake128, "shake256": .shake256]

@Suite("SHA-3 and SHAKE")
struct SHA3Tests {
  @Test("every length from 0 to 300 gives the digest that hashlib gives")
  func digestsAgree() throws {
    var wrong: [String] = []
    var count = 0
    for known in try Case.all() {
      guard let variant = digests[known.function] else { continue }
      let digest = SHA3.digest(of: known.message.span, variant)
      if digest.count != variant.digestLength || !digest.array.starts(with: known.output) {
        wrong.append("\(known.function) \(known.length)")
      }
      count += 1
    }
    #expect(count == 4 * 304)
    #expect(wrong == [])
  }

  @Test("every length from 0 to 300 gives the stream that hashlib gives")
  func streamsAgree() throws {
    var wrong: [String] = []
    var count = 0
    for known in try Case.all() {
      guard let variant = streams[known.function] else { continue }
      var shake = SHAKE(variant)
      shake.absorb(known.message.span)
      if shake.squeeze(known.output.count) != known.output {
        wrong.append("\(known.function) \(known.length)")
      }
      count += 1
    }
    #expect(count == 2 * 304)
    #expect(wrong == [])
  }

  @Test("a message in two or three parts has the digest of the whole, wherever it is cut")
  func parts() throws {
    var wrong: [Int] = []
    let known = try #require(try Case.all().first { $0.function == "sha3-256" && $0.length == 271 })
    let message = known.message
    for cut in 0...message.count {
      for second in [cut, (cut + message.count) / 2] {
        var hash = SHA3(.sha3_256)
        hash.update(message.span.extracting(0..<cut))
        hash.update(message.span.extracting(cut..<second))
        hash.update(message.span.extracting(second..<message.count))
        if hash.finish().array != known.output { wrong.append(cut) }
      }
    }
    #expect(wrong == [])
  }

  @Test("a stream read in parts is the stream read at once")
  func squeezedInParts() throws {
    let known = try #require(try Case.all().first { $0.function == "shake128" && $0.length == 168 })
    var shake = SHAKE(.shake128)
    for byte in known.message { shake.absorb(byte) }
    var taken = shake.squeeze(1) + [shake.squeeze()]
    var middle = [UInt8](repeating: 0, count: 200)
    var span = middle.mutableSpan
    shake.squeeze(into: &span)
    taken += middle
    shake.absorb(known.message.span)  // too late: ignored
    taken += shake.squeeze(0) + shake.squeeze(-1) + shake.squeeze(known.output.count - 202)
    #expect(taken == known.output)
  }
}
