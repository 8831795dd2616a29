internal import HoldfastSystem

/// The program `holdfast-conformance`: runs published suites of vectors.
@main
struct ConformanceTool {
  static func main() {
    System.ignoreBrokenPipes()
    let status = ConformanceCommand(
      result: { write($0, to: 1) }, message: { write($0, to: 2) }
    ).run(Array(CommandLine.arguments.dropFirst()))
    System.end(status.rawValue)
  }

  /// Writes a text; what cannot be written, as to a reader that has gone, is dropped.
  private static func write(_ text: String, to descriptor: Int32) {
    do throws(System.SystemError) { try System.write(Array(text.utf8), to: descriptor) } catch {}
  }
}
