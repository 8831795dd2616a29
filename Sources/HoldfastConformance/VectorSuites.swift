internal import HoldfastDER
internal import HoldfastSystem

/// Finds the published vector suites that tests and the tool run.
///
/// The suites are not part of the repository. They are looked for in the folder
/// that the environment variable `HOLDFAST_VECTORS` names; when it is not set,
/// in `Vectors/External` and then in `../shared/vectors`, both seen from the root
/// of the package. A test of a suite that may be missing says so:
///
/// ```swift
/// @Test("…", .enabled(if: VectorSuites.has("limbo"), "\(VectorSuites.absence(of: "limbo"))"))
/// ```
public enum VectorSuites {
  /// The largest suite file read, packed or unpacked, in octets.
  public static let sizeLimit = 256 << 20

  /// The names of the suites that the loaders of this module read.
  public static let known = [
    "bssl-crl", "bssl-der-parsing", "bssl-name-match", "bssl-ocsp", "bssl-signature-algorithm",
    "bssl-signed-data", "bssl-verify-chain", "cavp-ecdsa-pkv", "certificate-corpus", "limbo",
    "limbo-annotations", "pkits", "sha-cavp", "wycheproof", "certificate-corpus-second",
    "limbo-second", "other-suites.limbo", "pkits-second", "wycheproof-second",
    "wycheproof-second-optional", "x509test",
  ]

  /// The folder that holds `Package.swift`, or nil in an installed tool.
  public static let packageRoot: String? = {
    for start in [#filePath, System.workingFolder + "/-"] {
      var folders = start.split(separator: "/")
      while folders.popLast() != nil {
        let folder = "/" + folders.joined(separator: "/")
        if System.exists("\(folder)/Package.swift"),
          System.exists("\(folder)/Sources/HoldfastConformance")
        {
          return folder
        }
      }
    }
    return nil
  }()

  /// The folders that are searched, in this order.
  public static let folders: [String] = {
    if let named = Platform.environment("HOLDFAST_VECTORS") { return [named] }
    let root = packageRoot ?? System.workingFolder
    let parent = root.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    return ["\(root)/Vectors/External", "\(parent)/shared/vectors"]
  }()

  /// Returns where a suite lies, or nil when it is absent.
  ///
  /// `limbo` is found as `limbo.json.xz`, `limbo.json`, `limbo.tar.xz`, `limbo.tar` or
  /// the folder `limbo`, and each of these with `-visible` behind the name; the further parts of a
  /// suite, such as `limbo-second`, in the folder `second` too.
  public static func path(of suite: String) -> String? {
    for folder in folders {
      for stem in [suite, suite + "-visible", "second/\(suite)"] {
        for ending in [".json.xz", ".json", ".tar.xz", ".tar", ""] {
          let path = "\(folder)/\(stem)\(ending)"
          if System.exists(path) { return path }
        }
      }
    }
    return nil
  }

  /// Whether a suite can be found.
  public static func has(_ suite: String) -> Bool { path(of: suite) != nil }

  /// The line to print for a test whose suite is missing.
  public static func absence(of suite: String) -> String {
    VectorError.absent(suite: suite, searched: folders).description
  }

  /// The suites of `known` that cannot be found.
  public static var absent: [String] { known.filter { !has($0) } }

  /// Returns the path of a loose file such as `pinning/af_table.tsv`, or nil.
  public static func path(ofFile name: String) -> String? {
    folders.map { "\($0)/\(name)" }.first(where: System.exists)
  }

  /// Reads the one file of a suite, unpacked.
  public static func suite(named suite: String) throws(VectorError) -> VectorFile {
    let files = try self.files(of: suite)
    guard let file = files.first, files.count == 1 else {
      throw .malformed(path: suite, reason: "\(files.count) files where one was expected")
    }
    return file
  }

  /// Reads all files of a suite, unpacked, in the order of their names.
  public static func files(of suite: String) throws(VectorError) -> [VectorFile] {
    guard let path = path(of: suite) else {
      throw .absent(suite: suite, searched: folders)
    }
    return try VectorFile.files(at: path)
  }
}
