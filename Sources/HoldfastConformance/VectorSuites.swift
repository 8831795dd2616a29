internal import HoldfastDER
internal import HoldfastSystem

/// Finds the vector suites that tests and the tool run.
///
/// They are looked for in the folder that the environment variable `HOLDFAST_VECTORS` names, and in
/// `Vectors/External` and `Vectors/published` of the working folder. A test of a suite that may be
/// missing says so:
///
/// ```swift
/// @Test("…", .enabled(if: VectorSuites.has("limbo"), "\(VectorSuites.absence(of: "limbo"))"))
/// ```
package enum VectorSuites {
  /// The largest suite file read, packed or unpacked, in bytes.
  package static let sizeLimit = 256 << 20

  /// The names of the suites, with the further parts of some.
  package static let known =
    ConformanceSuite.allCases.filter { $0 != .chains }.flatMap { $0.parts }
    + ["bssl-der-parsing", "bssl-signed-data"]

  /// The folder of the cases of this project, which has the lists of divergences too.
  static let own = System.workingFolder + "/Vectors"

  /// The folders that are searched, in this order.
  package static let folders: [String] = {
    let named = Platform.environment("HOLDFAST_VECTORS").map { [$0] } ?? []
    return named + ["\(own)/External", "\(own)/published"]
  }()

  /// Returns where a suite is, or nil when it is absent.
  ///
  /// `limbo` is found as `limbo.json.xz`, `limbo.json` or the folder `limbo`, and each of these
  /// with `-visible` behind the name; the further parts of a suite, such as `limbo-second`, in the
  /// folder `second` too.
  package static func path(of suite: String) -> String? {
    path(of: suite, endings: [".json.xz", ".json", ""])
  }

  /// Returns where a suite is; one that is absent is an error.
  static func existingPath(of suite: String) throws(VectorError) -> String {
    if let path = path(of: suite) { return path }
    throw .absent(suite: suite, searched: folders)
  }

  private static func path(of suite: String, endings: [String]) -> String? {
    for folder in folders {
      for stem in [suite, suite + "-visible", "second/\(suite)"] {
        for ending in endings where System.exists("\(folder)/\(stem)\(ending)") {
          return "\(folder)/\(stem)\(ending)"
        }
      }
    }
    return nil
  }

  /// Whether a suite can be found.
  package static func has(_ suite: String) -> Bool { path(of: suite) != nil }

  /// The line to print for a test whose suite is missing.
  package static func absence(of suite: String) -> String {
    let line = VectorError.absent(suite: suite, searched: folders).description
    guard let archive = path(of: suite, endings: [".tar.xz"]) else { return line }
    return "\(line); `Scripts/vectors --unpack` unpacks \(archive)"
  }

  /// Returns the path of a loose file such as `museum/museum.json`, or nil.
  package static func path(ofFile name: String) -> String? {
    folders.map { "\($0)/\(name)" }.first(where: System.exists)
  }

  /// Reads all files of a suite, unpacked, in the order of their names.
  package static func files(of suite: String) throws(VectorError) -> [VectorFile] {
    try VectorFile.files(at: existingPath(of: suite))
  }

  /// Reads the cases of a suite that is one JSON document.
  package static func cases(
    of suite: String, list: String = "tests"
  ) throws(VectorError) -> [SuiteCase] {
    var cases: [SuiteCase] = []
    for file in try files(of: suite) {
      try SuiteDocument(file, list: list).forEachCase { cases.append($0) }
    }
    return cases
  }
}
