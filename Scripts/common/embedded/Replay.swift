internal import HoldfastBase
internal import HoldfastJSON

/// Runs the targets of Fuzz/ on inputs that are kept, as Embedded Swift, and prints a digest of what
/// each says of each. A line of standard input is the name of a target, a blank and a path.
@_cdecl("main")
func main(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>>) -> Int32 {
  let lines: [UInt8]
  do throws(Platform.FileError) { lines = try Platform.readFile("-", limit: 1 << 24) } catch {
    return 2
  }
  for line in lines.split(separator: 0x0A) {
    let text = String(decoding: line, as: UTF8.self)
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let target = FuzzTarget(rawValue: String(words[0])) else { return 2 }
    let bytes: [UInt8]
    do throws(Platform.FileError) {
      bytes = try Platform.readFile(String(words[1]), limit: 1 << 24)
    } catch {
      return 2
    }
    target.run(bytes)
    print("\(text) \(String(Transcript.end(), radix: 16))")
  }
  return 0
}

/// The path of a file of objects, from the folder of the sources.
func objectsPath(_ name: String) -> String { "Fuzz/\(name)" }

/// The text of a file of objects.
func contents(of path: String) -> String {
  do throws(Platform.FileError) {
    return String(decoding: try Platform.readFile(path, limit: 1 << 24), as: UTF8.self)
  } catch {
    preconditionFailure("a file of objects cannot be read")
  }
}

/// Questions that fetch need the runtime: nothing of this target is counted.
enum FetchCase {
  static func run(_ bytes: [UInt8]) {}
}

extension LogCase {
  /// There is no other reader here.
  static func checkOtherReader(_ value: JSONValue, _ bytes: [UInt8]) {}
}
