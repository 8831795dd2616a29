internal import HoldfastDER

/// Secret bytes in one buffer, which is overwritten when the last reference is released.
package final class SecretBytes: Sendable {
  private let bytes: Guarded<[UInt8]>

  /// Copies the bytes, so that nothing else references the stored array.
  init(_ bytes: [UInt8]) {
    var own: [UInt8] = []
    own.reserveCapacity(bytes.count)
    own += bytes
    self.bytes = Guarded(own)
  }

  deinit {
    bytes.withLock { SecretBytes.overwrite(&$0) }
  }

  /// Passes a copy to `body` and overwrites it afterwards.
  func withCopy<Value>(
    _ body: ([UInt8]) throws(IdentityError) -> Value
  ) throws(IdentityError) -> Value {
    try SecretBytes.using(copy, body)
  }

  /// A copy, which the caller must overwrite.
  var copy: [UInt8] {
    bytes.withLock { bytes in
      var copy: [UInt8] = []
      copy.reserveCapacity(bytes.count)
      copy += bytes
      return copy
    }
  }
}

/// The round keys of a cipher, which are overwritten when the last reference is released.
final class RoundKeys<Word: FixedWidthInteger> {
  private(set) var words: [Word]

  /// Takes over the words, to which there must be no other reference.
  init(_ words: consuming [Word]) {
    self.words = words
  }

  deinit { SecretBytes.overwrite(&words) }
}

/// Operations on bytes that must not outlive their use.
extension SecretBytes {
  /// Overwrites bytes or words with zeros and empties the array. The array must have no other
  /// reference: a second holder would keep the bytes.
  ///
  /// Never inlined, so the compiler cannot see that the zeros are never read and drop the writes.
  @inline(never)
  package static func overwrite<Word: FixedWidthInteger>(_ words: inout [Word]) {
    for index in words.indices { words[index] = 0 }
    words.removeAll(keepingCapacity: true)
  }

  /// Passes bytes to `body` and overwrites them afterwards, so that no reader of them is left then.
  static func using<Value>(
    _ bytes: consuming [UInt8], _ body: ([UInt8]) throws(IdentityError) -> Value
  ) throws(IdentityError) -> Value {
    var bytes = bytes
    defer { overwrite(&bytes) }
    return try body(bytes)
  }

  /// Passes the bytes of files to `read` and overwrites them afterwards. An error names the file, or
  /// all if it may be about any.
  static func withFiles<Value>(
    _ paths: String..., from files: FileReading = .system,
    read: ([[UInt8]]) throws(IdentityError) -> Value
  ) throws(IdentityError) -> Value {
    var contents: [[UInt8]] = []
    defer { for index in contents.indices { overwrite(&contents[index]) } }
    for path in paths {
      do throws(Platform.FileError) {
        contents.append(try files.bytes(path, IdentityOptions.maximumFileSize))
      } catch {
        throw IdentityError(.unreadable(error.message), in: path)
      }
    }
    do throws(IdentityError) {
      return try read(contents)
    } catch {
      throw IdentityError(
        error.problem, in: paths.joined(separator: ", "), isOnlyFile: paths.count == 1)
    }
  }

  /// Whether both arrays are equal, in a time that depends only on their lengths.
  @inline(never)
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}
