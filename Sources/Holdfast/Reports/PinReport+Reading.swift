internal import HoldfastCertificates
internal import HoldfastPaths

extension PinReport {
  /// Reads a report of RFC 7469 §3 or of TrustKit, which is known by its `validation-result`.
  ///
  /// Strict: every member that the form has must be there, and no other may.
  public init(json text: String) throws(PinReportError) {
    var reader = try Reader(text)
    let isTrustKit = reader.has("validation-result")
    app = isTrustKit ? try reader.app() : nil
    time = try reader.time("date-time")
    host = try reader.string("hostname")
    port = try reader.number("port")
    notedHost = try reader.string("noted-hostname")
    includesSubdomains = try reader.bool("include-subdomains")
    let date = isTrustKit ? "known-pins-expiration-date" : "effective-expiration-date"
    expiry = reader.isAbsent(date) ? nil : try reader.time(date)
    servedChain = isTrustKit ? [] : try reader.chain("served-certificate-chain")
    validatedChain = try reader.chain("validated-certificate-chain")
    knownPins = []
    for pin in try reader.strings("known-pins") {
      do throws(PinError) {
        knownPins.append(try Pin(pin))
      } catch {
        throw PinReportError(member: "known-pins", problem: .badPin(error))
      }
    }
    if let rest = reader.members.keys.sorted().first {
      throw PinReportError(member: rest, problem: .unknown)
    }
  }

  /// The members that have not been read yet.
  private struct Reader {
    var members: [String: JSONText]

    init(_ text: String) throws(PinReportError) {
      let document: JSONText
      do throws(JSONTextError) {
        document = try JSONText(text)
      } catch {
        throw PinReportError(member: "", problem: .notJSON(offset: error.offset))
      }
      guard case .object(let members) = document else {
        throw PinReportError(member: "", problem: .notJSON(offset: 0))
      }
      self.members = members
    }

    func has(_ name: String) -> Bool { members[name] != nil }

    /// Whether a member is missing or null; then it is done with.
    mutating func isAbsent(_ name: String) -> Bool {
      guard members[name] == nil || members[name] == .null else { return false }
      members[name] = nil
      return true
    }

    private mutating func take(_ name: String) throws(PinReportError) -> JSONText {
      guard let value = members.removeValue(forKey: name) else {
        throw PinReportError(member: name, problem: .missing)
      }
      return value
    }

    mutating func string(_ name: String) throws(PinReportError) -> String {
      guard case .string(let text) = try take(name) else { throw wrongKind(name) }
      return text
    }

    mutating func number(_ name: String) throws(PinReportError) -> Int {
      guard case .number(let text) = try take(name), let number = Int(text) else {
        throw wrongKind(name)
      }
      return number
    }

    mutating func bool(_ name: String) throws(PinReportError) -> Bool {
      switch try take(name) {
      case .bool(let value): return value
      // Some writers of Foundation make a number of a truth.
      case .number("1"): return true
      case .number("0"): return false
      default: throw wrongKind(name)
      }
    }

    mutating func time(_ name: String) throws(PinReportError) -> Timestamp {
      let text = try string(name)
      guard let time = Timestamp(text) else {
        throw PinReportError(member: name, problem: .badTime(text))
      }
      return time
    }

    mutating func strings(_ name: String) throws(PinReportError) -> [String] {
      guard case .array(let values) = try take(name) else { throw wrongKind(name) }
      var texts: [String] = []
      for value in values {
        guard case .string(let text) = value else { throw wrongKind(name) }
        texts.append(text)
      }
      return texts
    }

    mutating func chain(_ name: String) throws(PinReportError) -> [Certificate] {
      var chain: [Certificate] = []
      for text in try strings(name) {
        do throws(CertificateError) {
          chain.append(try Certificate(pem: text))
        } catch {
          throw PinReportError(member: name, problem: .badCertificate(error))
        }
      }
      return chain
    }

    mutating func app() throws(PinReportError) -> App {
      var app = App()
      app.bundle = try string("app-bundle-id")
      app.version = try string("app-version")
      app.platform = try string("app-platform")
      app.platformVersion = try string("app-platform-version")
      app.vendor = try string("app-vendor-id")
      app.trustKitVersion = try string("trustkit-version")
      app.isEnforced = try bool("enforce-pinning")
      guard let result = App.Result(rawValue: try number("validation-result")) else {
        throw wrongKind("validation-result")
      }
      app.result = result
      return app
    }

    private func wrongKind(_ name: String) -> PinReportError {
      PinReportError(member: name, problem: .wrongKind)
    }
  }
}
