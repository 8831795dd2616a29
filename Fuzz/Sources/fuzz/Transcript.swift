import HoldfastBase

/// What the targets say of an input, of which a replay on another processor keeps a digest.
enum Transcript {
  /// FNV-1a with 64 bits.
  private static let hash = Guarded<UInt64>(0xCBF2_9CE4_8422_2325)

  /// Returns the digest of what was said since the last one.
  static func end() -> UInt64 {
    hash.withLock { hash in
      defer { hash = 0xCBF2_9CE4_8422_2325 }
      return hash
    }
  }

  fileprivate static func add(_ text: String) {
    hash.withLock { hash in
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
      // Where a text ends is a part of what is said.
      hash = (hash ^ 0xFF) &* 0x0100_0000_01B3
    }
  }
}

/// A text of values that have words of their own: others Embedded Swift cannot print.
struct Words: ExpressibleByStringInterpolation {
  private(set) var text = ""

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation parts: Parts) { text = parts.text }

  /// The text between literals and values.
  struct Parts: StringInterpolationProtocol {
    private(set) fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += value.description
    }
    mutating func appendInterpolation(_ value: (some CustomStringConvertible)?) {
      text += value?.description ?? "-"
    }
    mutating func appendInterpolation(_ values: [some CustomStringConvertible]) {
      for value in values { text += value.description + "," }
    }
  }
}

/// Says what was read, or why it cannot be read.
func say(_ words: Words) { Transcript.add(words.text) }

/// The same of what must have words.
func mustSay(_ words: Words) {
  precondition(!words.text.isEmpty)
  say(words)
}
