public import HoldfastCertificates
public import HoldfastPaths

/// That a server is trusted: through which path, and what became of its pins.
public struct PinVerdict: Sendable {
  /// The host, in its one form.
  public let host: HostName

  /// The path that is valid and, if the host is pinned, holds the pins.
  public let path: ValidatedPath

  /// Which of the valid paths it is, from 1: those before it do not hold the pins.
  public let pathNumber: Int

  /// What became of the pins.
  public let pinning: Pinning

  /// That of the manager that gave the verdict.
  public let fingerprint: PolicyFingerprint?

  /// When the pins stop to count, if they do.
  public let expiry: Timestamp?

  /// What became of pins.
  @nonexhaustive
  public enum Pinning: Sendable {
    /// They are on the path.
    case matched(PinMatch)
    /// No valid path holds them, which is only reported: now, or always.
    indirect case reported(PinMismatch)
    /// None count for the host.
    case notPinned(Reason)

    /// Why no pins count for a host.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
      /// The host is not in the table.
      case unknownHost
      /// The host is left out of a wider entry.
      case excluded(HostPattern)
      /// The pins have expired, and the set says that it then fails open.
      case expired(Timestamp)
    }
  }

  /// Whether the verdict holds for a resumed connection to a host at a later time, as far as the
  /// path is concerned, that of its anchor included. `TrustManager.stillHolds` asks for pins, anchors
  /// and rules, too.
  ///
  /// Where revocation was asked for it holds for no other moment than its own: what is known of that
  /// may change at any time.
  public func isStillValid(for host: String, at time: Timestamp) -> Bool {
    isFor(host) && path.lifetime.contains(time)
  }

  /// Whether this is the verdict about a host.
  func isFor(_ host: String) -> Bool {
    do throws(HostNameError) {
      return try HostName(host) == self.host
    } catch {
      return false
    }
  }
}

/// What should be said aloud though a server is trusted.
@nonexhaustive
public enum PinWarning: Sendable, Hashable {
  /// The pin that matched is one for debugging: a proxy may be in between.
  case debugPin(ScopedPin)
  /// Other valid paths do not hold the pins: clients that try one path only refuse the server.
  case onlyThroughPath(Int)
  /// The pins are missing, and that is only reported.
  case reportedOnly
  /// The pins stop to count within 30 days.
  case expiresSoon(Timestamp)
  /// The pins have expired, and nothing is pinned any more.
  case expired(Timestamp)
}

extension PinVerdict {
  /// What should be said aloud.
  public var warnings: [PinWarning] {
    var warnings: [PinWarning] = []
    switch pinning {
    case .matched(let match):
      if let pin = match.pin, pin.isForDebugging { warnings.append(.debugPin(pin)) }
      if pathNumber > 1 { warnings.append(.onlyThroughPath(pathNumber)) }
    case .reported: warnings.append(.reportedOnly)
    case .notPinned(.expired(let time)): warnings.append(.expired(time))
    case .notPinned: break
    }
    if let expiry, path.time < expiry, expiry.seconds(since: path.time) <= 30 * 86_400 {
      warnings.append(.expiresSoon(expiry))
    }
    return warnings
  }
}

extension PinWarning: CustomStringConvertible {
  /// The warning in words.
  public var description: String {
    switch self {
    case .debugPin(let pin):
      "trusted through the debugging pin \(pin.pin)\(pin.label.map { " (\($0))" } ?? ""): whoever "
        + "holds this key reads and changes everything on the connection"
    case .onlyThroughPath(let number):
      "only valid path number \(number) holds a pin: clients that look at one path may refuse"
    case .reportedOnly: "no pin is on a valid path, which is reported and not refused"
    case .expiresSoon(let time): "the pins expire at \(time)"
    case .expired(let time): "the pins have expired at \(time): the host is not pinned"
    }
  }
}

extension PinVerdict: CustomStringConvertible {
  /// Through what the host is trusted.
  public var description: String {
    var lines: [String] = []
    switch pinning {
    case .matched(let match):
      guard let pin = match.pin else {
        lines.append("\(host): no denied pin is on path \(pathNumber)")
        break
      }
      lines.append("\(host): \(pin.line) is the \(match.scope) of path \(pathNumber)")
    case .reported(let mismatch): lines.append("\(mismatch)")
    case .notPinned(.unknownHost): lines.append("\(host): not pinned")
    case .notPinned(.excluded(let pattern)):
      lines.append("\(host): excluded from pinning by \(pattern)")
    case .notPinned(.expired): lines.append("\(host): not pinned any more")
    }
    return (lines + warnings.map { "warning: \($0)" }).joined(separator: "\n")
  }

  /// The same as a JSON object, the path included.
  public var json: String {
    var object = JSONObject()
    object.add("verdict", "trusted")
    object.add("host", "\(host)")
    object.add("path", raw: path.json)
    object.add("pathNumber", pathNumber)
    object.add("observed", raw: JSONObject.array(path.observedPins.map(\.json)))
    switch pinning {
    case .matched(let match):
      object.add("pinning", "matched")
      if let pin = match.pin { object.add("pin", raw: pin.json) }
      object.add("index", match.index)
      object.add("role", "\(match.scope)")
    case .reported(let mismatch):
      object.add("pinning", "reported")
      object.add("mismatch", raw: mismatch.json)
    case .notPinned(let reason):
      object.add("pinning", "notPinned")
      switch reason {
      case .unknownHost: object.add("reason", "unknownHost")
      case .excluded(let pattern): object.add("reason", "excluded by \(pattern)")
      case .expired(let time): object.add("reason", "expired at \(time)")
      }
    }
    object.add("warnings", raw: JSONObject.array(warnings.map { JSONObject.string("\($0)") }))
    return object.text
  }
}
