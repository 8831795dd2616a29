public import HoldfastCertificates
internal import HoldfastDER

/// Where the system's anchors were looked for, and what became of each file.
public struct SystemAnchorsReport: Sendable, Hashable {
  /// What was opened, in this order.
  public internal(set) var files: [File] = []

  /// One file.
  public struct File: Sendable, Hashable {
    /// The path.
    public let path: String
    /// How many certificates were taken from it.
    public let loaded: Int
    /// What was not taken, and why.
    public let skipped: [ParseError]
    /// Why the file could not be read, if it could not.
    public let problem: String?
  }

  /// How many certificates were taken.
  public var loaded: Int { files.reduce(0) { $0 + $1.loaded } }
}

/// Why there are no anchors of the system.
public struct SystemAnchorsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was looked at.
  public let report: SystemAnchorsReport

  /// The places that were looked at.
  public var description: String {
    let places = report.files.map { file in
      file.problem.map { "\(file.path): \($0)" } ?? "\(file.path): no certificate"
    }
    return "no anchors found; looked at " + places.joined(separator: "; ")
  }
}

extension AnchorSet {
  /// The files that distributions keep their anchors in, in the order of the search.
  static let systemFiles = [
    // Debian, Ubuntu, Arch, Gentoo
    "/etc/ssl/certs/ca-certificates.crt",
    // Fedora, Red Hat
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    // openSUSE
    "/etc/ssl/ca-bundle.pem",
    "/var/lib/ca-certificates/ca-bundle.pem",
    // Alpine, and Darwin's OpenSSL
    "/etc/ssl/cert.pem",
    // NixOS
    "/etc/ssl/certs/ca-bundle.crt",
    // FreeBSD
    "/usr/local/etc/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
  ]

  /// The folders that are looked at when none of the files is there.
  static let systemFolders = [
    "/etc/ssl/certs", "/etc/pki/tls/certs", "/system/etc/security/cacerts",
  ]

  /// The anchors of the system; throws if none are found.
  ///
  /// `SSL_CERT_FILE` and `SSL_CERT_DIR`, a list with colons, are asked first, and then nothing else
  /// is, as with OpenSSL; a program with more rights than its caller does not ask them. Otherwise it
  /// is the first of `systemFiles` that has a certificate, and otherwise the first of
  /// `systemFolders`.
  public static func system() throws(SystemAnchorsError) -> AnchorSet {
    try systemWithReport().anchors
  }

  /// The anchors of the system, and where they came from.
  public static func systemWithReport() throws(SystemAnchorsError) -> (
    anchors: AnchorSet, report: SystemAnchorsReport
  ) {
    try systemWithReport(
      file: Platform.environment("SSL_CERT_FILE"), folders: Platform.environment("SSL_CERT_DIR"),
      systemFiles, systemFolders)
  }

  /// The same with an environment and with places of the caller's.
  static func systemWithReport(
    file: String?, folders: String?, _ systemFiles: [String], _ systemFolders: [String]
  ) throws(SystemAnchorsError) -> (anchors: AnchorSet, report: SystemAnchorsReport) {
    var search = SystemSearch()
    if file != nil || folders != nil {
      if let file { search.read(file) }
      for folder in folders?.split(separator: ":") ?? [] { search.readFolder(String(folder)) }
    } else {
      for file in systemFiles where search.certificates.isEmpty { search.read(file) }
      for folder in systemFolders where search.certificates.isEmpty { search.readFolder(folder) }
    }
    guard !search.certificates.isEmpty else { throw SystemAnchorsError(report: search.report) }
    return (AnchorSet(search.certificates), search.report)
  }
}

private struct SystemSearch {
  var certificates: [Certificate] = []
  var report = SystemAnchorsReport()

  /// The most bytes of a file.
  private static let limit = 16 << 20

  mutating func read(_ path: String) {
    do throws(Platform.FileError) {
      let bundle = CertificateBundle(try Platform.readFile(path, limit: SystemSearch.limit))
      certificates += bundle.certificates
      report.files.append(
        .init(
          path: path, loaded: bundle.certificates.count, skipped: bundle.errors, problem: nil))
    } catch {
      report.files.append(.init(path: path, loaded: 0, skipped: [], problem: error.message))
    }
  }

  mutating func readFolder(_ path: String) {
    guard let names = Platform.names(inFolder: path) else {
      report.files.append(.init(path: path, loaded: 0, skipped: [], problem: "no such folder"))
      return
    }
    for name in names.sorted() where SystemSearch.isCertificate(name) { read("\(path)/\(name)") }
  }

  /// `5ed36f99.0` and the like, or a name that ends as certificates do.
  private static func isCertificate(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    let ending = name[name.index(after: dot)...]
    if ["pem", "crt", "cer", "der"].contains(ending) { return true }
    let stem = name[..<dot]
    return stem.utf8.count == 8 && stem.allSatisfy(\.isHexDigit) && !ending.isEmpty
      && ending.allSatisfy(\.isNumber)
  }
}

extension SystemAnchorsReport: CustomStringConvertible {
  /// A line for each file, and below it one for each certificate that was not taken.
  public var description: String { files.map { "\($0)" }.joined(separator: "\n") }
}

extension SystemAnchorsReport.File: CustomStringConvertible {
  /// `/etc/ssl/cert.pem: 139 certificates`, then what was not taken, and why.
  public var description: String {
    let taken = problem ?? (loaded == 1 ? "1 certificate" : "\(loaded) certificates")
    return (["\(path): \(taken)"] + skipped.map { "  skipped: \($0)" }).joined(separator: "\n")
  }
}
