internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastJSON

/// Reads a log list of version 3 from JSON.
struct LogListReader {
  private(set) var version = ""
  private(set) var time: LogTime?
  private(set) var logs: [CertificateLog] = []
  private(set) var indices: [Digest: Int] = [:]
  private(set) var operators: [String] = []
  private(set) var problems: [LogListProblem] = []

  static func read(_ json: [UInt8]) throws(LogListError) -> LogList.Storage {
    guard json.count <= LogList.maximumSize else {
      throw LogListError(.tooLarge(limit: LogList.maximumSize))
    }
    let document: JSONValue
    do throws(JSONReader.Problem) {
      document = try JSONValue(parsing: json)
    } catch {
      throw LogListError(.notJSON(message: error.message, offset: error.offset))
    }
    var reader = LogListReader()
    try reader.read(document)
    return LogList.Storage(reader)
  }

  private mutating func read(_ document: JSONValue) throws(LogListError) {
    guard case .array(let operators)? = document["operators"] else {
      throw LogListError(.noOperators)
    }
    version = document["version"]?.text ?? ""
    time = readTime(document["log_list_timestamp"], at: "log_list_timestamp")
    for (index, entry) in operators.enumerated() {
      try read(operator: entry, at: "operators[\(index)]")
    }
  }

  private mutating func read(operator entry: JSONValue, at path: String) throws(LogListError) {
    guard case .object = entry else { return note(.unexpectedType, at: path) }
    let name = entry["name"]?.text
    if name == nil { note(.missing, at: "\(path).name") }
    operators.append(name ?? "")
    for (member, interface) in [
      ("logs", CertificateLog.Interface.rfc6962), ("tiled_logs", .tiled),
    ] {
      switch entry[member] {
      case .array(let values):
        for (index, value) in values.enumerated() {
          // Logs of operators without a name are not distinct operators.
          try read(
            log: value, of: name ?? "", interface, at: "\(path).\(member)[\(index)]")
        }
      case nil, .null: break
      default: note(.unexpectedType, at: "\(path).\(member)")
      }
    }
  }

  private mutating func read(
    log entry: JSONValue, of operatorName: String, _ interface: CertificateLog.Interface,
    at path: @autoclosure () -> String
  ) throws(LogListError) {
    guard case .object = entry else { return note(.unexpectedType, at: path()) }
    guard let (key, id) = readKey(of: entry, at: path()) else { return }
    let known = indices[id.digest]
    guard known != nil || logs.count < LogList.maximumLogs else {
      throw LogListError(.tooManyLogs(limit: LogList.maximumLogs))
    }
    var log = CertificateLog(key, id: id)
    log.operatorName = operatorName
    log.interface = interface
    log.name = entry["description"]?.text ?? ""
    log.url = (entry["url"] ?? entry["submission_url"])?.text ?? ""
    log.isForTests = entry["log_type"]?.text.map { $0 != "prod" } ?? false
    log.state = readState(of: entry, at: "\(path()).state")
    log.interval = readInterval(of: entry, at: "\(path()).temporal_interval")
    log.previousOperators = readPreviousOperators(of: entry, at: "\(path()).previous_operators")
    if let known {
      note(.duplicate, at: "\(path()).log_id")
      // Two entries that disagree about a log: it never counts.
      (log.name, log.url) = (logs[known].name, logs[known].url)
      if log != logs[known] { logs[known].state = nil }
      return
    }
    if !log.hasUsableKey { note(.unsupportedKey, at: "\(path()).key") }
    indices[id.digest] = logs.count
    logs.append(log)
  }

  /// Adds a problem. Its path becomes text only here: most logs have no problem.
  private mutating func note(_ kind: LogListProblem.Kind, at path: @autoclosure () -> String) {
    problems.append(LogListProblem(kind, at: path()))
  }
}

/// The members of a log.
extension LogListReader {
  /// Reads the key, and the identifier, which must be its SHA-256.
  private mutating func readKey(
    of entry: JSONValue, at path: @autoclosure () -> String
  ) -> (key: PublicKey, id: LogID)? {
    guard let der = readBase64(of: entry, "key", at: path()) else { return nil }
    guard let stated = readBase64(of: entry, "log_id", at: path()) else { return nil }
    let key: PublicKey
    do throws(DERError) {
      key = try PublicKey(whole: der)
    } catch {
      note(.badKey, at: "\(path()).key")
      return nil
    }
    let id = LogID(of: key)
    guard Digest(stated.span) == id.digest else {
      note(.wrongID, at: "\(path()).log_id")
      return nil
    }
    return (key, id)
  }

  private mutating func readBase64(
    of entry: JSONValue, _ member: String, at path: @autoclosure () -> String
  ) -> [UInt8]? {
    guard let text = entry[member]?.text else {
      note(.missing, at: "\(path()).\(member)")
      return nil
    }
    guard let bytes = Base64.bytes(of: Array(text.utf8)) else {
      note(.badBase64, at: "\(path()).\(member)")
      return nil
    }
    return bytes
  }

  /// Reads the state: an object with one member, which is named after the state.
  private mutating func readState(
    of entry: JSONValue, at path: @autoclosure () -> String
  ) -> CertificateLog.State? {
    guard let value = entry["state"], value != .null else { return nil }
    let kinds = CertificateLog.State.Kind.allCases.filter { value[$0.rawValue] != nil }
    guard kinds.count == 1, let kind = kinds.first else {
      note(.badState, at: path())
      return nil
    }
    let time = readTime(
      value[kind.rawValue]?["timestamp"], at: "\(path()).\(kind.rawValue).timestamp")
    return time.map { CertificateLog.State(kind: kind, since: $0) }
  }

  private mutating func readInterval(
    of entry: JSONValue, at path: @autoclosure () -> String
  ) -> Range<LogTime>? {
    guard let value = entry["temporal_interval"], value != .null else { return nil }
    let start = readTime(value["start_inclusive"], at: "\(path()).start_inclusive")
    let end = readTime(value["end_exclusive"], at: "\(path()).end_exclusive")
    guard let start, let end else { return nil }
    guard start <= end else {
      note(.badTime, at: path())
      return nil
    }
    return start..<end
  }

  private mutating func readPreviousOperators(
    of entry: JSONValue, at path: @autoclosure () -> String
  ) -> [CertificateLog.PreviousOperator] {
    guard let value = entry["previous_operators"], value != .null else { return [] }
    guard case .array(let elements) = value else {
      note(.unexpectedType, at: path())
      return []
    }
    var operators: [CertificateLog.PreviousOperator] = []
    for (index, element) in elements.enumerated() {
      guard let name = element["name"]?.text else {
        note(.missing, at: "\(path())[\(index)].name")
        continue
      }
      if let end = readTime(element["end_time"], at: "\(path())[\(index)].end_time") {
        operators.append(CertificateLog.PreviousOperator(name: name, end: end))
      }
    }
    return operators
  }

  private mutating func readTime(
    _ value: JSONValue?, at path: @autoclosure () -> String
  ) -> LogTime? {
    guard let value else {
      note(.missing, at: path())
      return nil
    }
    guard let time = value.text.flatMap(LogTime.init) else {
      note(.badTime, at: path())
      return nil
    }
    return time
  }
}
