public import HoldfastCertificates
internal import HoldfastHashes
internal import HoldfastPaths
internal import HoldfastSignatures

/// A list of logs: whose signatures count, since when, and who runs them.
///
/// No list is part of this library, and none is fetched: the caller supplies one and may use it for
/// what its publisher allows. Lists in the format of Chrome and Apple, version 3, are read. Create
/// a list once and use it from any number of threads: copies share the prepared keys of the logs
/// and a cache of verified timestamps.
public struct LogList: Sendable {
  let storage: Storage

  /// The maximum size of a list in bytes.
  package static let maximumSize = 16 << 20
  /// The maximum number of logs in a list.
  package static let maximumLogs = 20_000

  /// Parses a list from JSON.
  ///
  /// Unknown members are ignored, and an entry that cannot be used is left out and listed in
  /// `problems`.
  public init(json: [UInt8]) throws(LogListError) {
    storage = try LogListReader.read(json)
  }

  /// Reads a list from a file of JSON.
  public init(file path: String) throws(LogListError) {
    try self.init(file: path, from: .system)
  }

  /// Reads a list from a file of JSON in the given way.
  package init(file path: String, from files: FileReading) throws(LogListError) {
    let json: [UInt8]
    do throws(Platform.FileError) {
      json = try files.bytes(path, LogList.maximumSize)
    } catch {
      throw LogListError(.unreadable(error.message), in: path)
    }
    do throws(LogListError) {
      try self.init(json: json)
    } catch {
      throw LogListError(error.problem, in: path)
    }
  }

  /// Parses a list from JSON if its detached signature verifies: RSA, PKCS #1 v1.5, or ECDSA, with
  /// SHA-256, over exactly the bytes of the JSON.
  ///
  /// - Parameters:
  ///   - signature: The bytes of the signature, not its base64; for ECDSA in DER.
  ///   - key: The publisher's key, RSA or EC, which is trusted as it is. Other kinds are an error.
  public init(json: [UInt8], signature: [UInt8], key: PublicKey) throws(LogListError) {
    let scheme: SignatureScheme
    switch key.kind {
    case .rsa: scheme = .rsaPKCS1(.sha256)
    case .ec: scheme = .ecdsa(.sha256)
    default: throw LogListError(.badSignature)
    }
    let answer = PreparedKey(key, .reuse).verificationKey()?.verify(
      scheme, message: json.span, signature: signature.span)
    guard answer == .valid else { throw LogListError(.badSignature) }
    try self.init(json: json)
  }

  /// The version that the list states; empty if it states none.
  public var version: String { storage.version }

  /// The time at which the list was published, as it states; nil if it states none.
  public var time: LogTime? { storage.time }

  /// The logs, in the order of the list.
  public var logs: [CertificateLog] { storage.logs }

  /// The names of the operators, also of those without logs, in the order of the list.
  public var operators: [String] { storage.operators }

  /// The parts of the list that were left out or not understood.
  public var problems: [LogListProblem] { storage.problems }

  /// The log with an identifier; nil if it is not in the list.
  public subscript(id: LogID) -> CertificateLog? { find(id)?.log }

  /// Returns the log with an identifier, and its prepared key.
  func find(_ id: LogID) -> (log: CertificateLog, key: LogKey)? {
    storage.indices[id.digest].map { (storage.logs[$0], storage.keys[$0]) }
  }

  /// What all copies of a list share.
  final class Storage: Sendable {
    let version: String
    let time: LogTime?
    let logs: [CertificateLog]
    /// The prepared key of each log.
    let keys: [LogKey]
    let indices: [Digest: Int]
    let operators: [String]
    let problems: [LogListProblem]
    /// Timestamps that verified, on certificates of valid paths.
    let verified = ShardedCache<Digest, Void>(capacity: 4096)

    init(_ reader: LogListReader) {
      version = reader.version
      time = reader.time
      logs = reader.logs
      keys = logs.map { _ in LogKey() }
      indices = reader.indices
      operators = reader.operators
      problems = reader.problems
    }
  }
}

/// The age of a list.
extension LogList {
  /// Ten weeks in seconds, after which browsers no longer use a list.
  public static let defaultMaximumAge: Int64 = 70 * 86_400

  /// Returns why the list says nothing about a time; nil if it does.
  ///
  /// - Parameter now: The second in which the clock is: neither its first nor its last millisecond
  ///   may make a list unusable.
  func reasonAgainstUse(
    at now: ClosedRange<LogTime>, maximumAge: Int64
  ) -> NotEvaluatedReason? {
    guard let time else { return .listWithoutTime }
    if now.upperBound < time { return .listFromTheFuture(published: time) }
    let (limit, over) = maximumAge.multipliedReportingOverflow(by: 1000)
    guard !over, now.lowerBound.milliseconds(since: time) > limit else { return nil }
    return .staleList(published: time, maximumAge: maximumAge)
  }
}

extension LogList: CustomStringConvertible {
  /// `75 logs of 8 operators, version 80.14, 2026-01-02T12:57:01.000Z`.
  public var description: String {
    "\(logs.count) logs of \(operators.count) operators"
      + (version.isEmpty ? "" : ", version \(version)") + (time.map { ", \($0)" } ?? "")
  }
}
