/// The files searched for the system's anchors, with the result for each.
public struct SystemAnchorsReport: Sendable, Hashable {
  /// The files and folders that were tried, in order.
  public internal(set) var files: [File] = []

  /// One file, or a folder that could not be read.
  public struct File: Sendable, Hashable {
    /// The path.
    public let path: String
    /// The number of certificates loaded from it.
    public let loaded: Int
    /// The errors of the entries that were skipped.
    public let skipped: [ParseError]
    /// Why the file could not be read; nil if it was.
    public let problem: String?
  }

  /// The number of certificates loaded in all.
  public var loaded: Int { files.reduce(0) { $0 + $1.loaded } }
}

/// The error that no system anchors were found.
public struct SystemAnchorsError: HoldfastError, Hashable {
  /// The files that were searched.
  public let report: SystemAnchorsReport

  /// The files that were searched, and what was wrong with each.
  public var description: String {
    let locations = report.files.map { file in
      file.problem.map { "\(file.path): \($0)" } ?? "\(file.path): no certificate"
    }
    return "no anchors found; looked at " + locations.joined(separator: "; ")
  }

  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.noAnchors.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String { "This system has no list of trusted authorities." }
}

extension AnchorSet {
  /// Returns the system's anchors; throws if none are found. They count as public, also those that
  /// an administrator has added.
  ///
  /// If `SSL_CERT_FILE` or `SSL_CERT_DIR` (a list separated by colons) is set, nothing else is
  /// searched, as in OpenSSL; a program with more privileges than its caller ignores both.
  /// Otherwise the anchors are those of Android's updatable folder, and of nothing else where that
  /// exists, even if nothing in it can be read; then those of the first of the usual files with a
  /// certificate, or else of the first of the usual folders.
  public static func system() throws(SystemAnchorsError) -> AnchorSet {
    try systemWithReport().anchors
  }

  /// Returns the system's anchors and where they came from; throws if none are found.
  public static func systemWithReport() throws(SystemAnchorsError) -> (
    anchors: AnchorSet, report: SystemAnchorsReport
  ) {
    try SystemAnchorPlaces.current.read()
  }
}

/// Where the system's anchors are looked for.
package struct SystemAnchorPlaces: Sendable {
  /// `SSL_CERT_FILE`; nil if it is unset.
  package var file: String?
  /// `SSL_CERT_DIR`; nil if it is unset.
  package var folders: String?
  /// Where Android keeps its anchors since version 14. `systemFolders` has the old folder, which still
  /// has roots that updates have removed from the new one.
  var updatedFolder = "/apex/com.android.conscrypt/cacerts"

  /// The files in which distributions keep their anchors, in search order.
  var systemFiles = [
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

  /// The folders that are searched if none of the files has a certificate.
  var systemFolders = [
    "/etc/ssl/certs", "/etc/pki/tls/certs", "/system/etc/security/cacerts",
  ]

  /// The places of this system, with the variables of the environment.
  package static var current: SystemAnchorPlaces {
    SystemAnchorPlaces(
      file: Platform.environment("SSL_CERT_FILE"), folders: Platform.environment("SSL_CERT_DIR"))
  }

  private var listedFolders: [String] { folders?.split(separator: ":").map(String.init) ?? [] }

  /// The files and folders of which one may change what is found. Folders are looked at only where
  /// there is no file.
  package var paths: [String] {
    if file != nil || folders != nil { return (file.map { [$0] } ?? []) + listedFolders }
    if Platform.exists(updatedFolder) { return [updatedFolder] }
    return systemFiles + (systemFiles.contains(where: Platform.exists) ? [] : systemFolders)
  }

  /// Returns the anchors and where they came from; throws if none are found.
  package func read() throws(SystemAnchorsError) -> (
    anchors: AnchorSet, report: SystemAnchorsReport
  ) {
    var search = SystemSearch()
    if file != nil || folders != nil {
      if let file { search.read(file) }
      for folder in listedFolders { search.readFolder(folder) }
    } else if Platform.exists(updatedFolder) {
      search.readFolder(updatedFolder)
    } else {
      for file in systemFiles where search.certificates.isEmpty { search.read(file) }
      for folder in systemFolders where search.certificates.isEmpty { search.readFolder(folder) }
    }
    guard !search.certificates.isEmpty else { throw SystemAnchorsError(report: search.report) }
    return (AnchorSet(search.certificates, arePublic: true), search.report)
  }

  /// Whether a name has the form `5ed36f99.0` or a file extension of certificates.
  package static func isCertificate(_ name: String) -> Bool {
    if Certificate.hasCertificateEnding(name) { return true }
    guard let dot = name.lastIndex(of: ".") else { return false }
    let ending = name[name.index(after: dot)...]
    let stem = name[..<dot]
    return stem.utf8.count == 8 && stem.allSatisfy { $0.isHexDigit } && !ending.isEmpty
      && ending.allSatisfy { $0.isNumber }
  }
}

private struct SystemSearch {
  var certificates: [Certificate] = []
  var report = SystemAnchorsReport()

  /// The size in bytes of the largest file that is read.
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
      let problem = Platform.exists(path) ? "the folder cannot be read" : "no such folder"
      report.files.append(.init(path: path, loaded: 0, skipped: [], problem: problem))
      return
    }
    for name in names.sorted() where SystemAnchorPlaces.isCertificate(name) {
      read("\(path)/\(name)")
    }
  }
}

extension SystemAnchorsReport: Loggable {
  /// A line for each file, followed by one for each skipped entry.
  public var description: String { files.map { "\($0)" }.joined(separator: "\n") }
}

extension SystemAnchorsReport.File: Loggable {
  /// `/etc/ssl/cert.pem: 139 certificates`, then a line for each skipped entry.
  public var description: String {
    let taken = problem ?? (loaded == 1 ? "1 certificate" : "\(loaded) certificates")
    return (["\(path): \(taken)"] + skipped.map { "  skipped: \($0)" }).joined(separator: "\n")
  }
}
