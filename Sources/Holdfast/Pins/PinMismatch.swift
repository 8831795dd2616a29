public import HoldfastCertificates
public import HoldfastPaths

/// What was seen and what was expected when no valid path of a host satisfies its pins.
public struct PinMismatch: Sendable {
  /// The host.
  public let host: HostName

  /// The time at which the paths are valid.
  public let time: Timestamp

  /// The entry that is for the host.
  public let pattern: HostPattern

  /// What was expected.
  public let pins: PinSet

  /// The valid paths, in the order in which they were found; one at least.
  public let paths: [PinnedPath]

  /// What the search said at its end: the paths that are not valid are in it, too.
  public let pathError: PathError

  /// The chain as the server has sent it. Nothing in it counts for pins by being sent.
  public let presented: [Certificate]

  /// What may help.
  public var hints: [Hint] {
    let expected = Set(pins.pins.map(\.pin))
    var hints: [Hint] = []
    for certificate in Set(paths.flatMap(\.path.certificates)) {
      let digest = certificate.fingerprint()
      for pin in expected where pin.subject == .publicKey && pin.digest == digest {
        hints.append(.digestOfCertificate(pin, certificate))
      }
      for pin in expected where pin.matchesRawKey(of: certificate) {
        hints.append(.digestOfRawKey(pin, certificate))
      }
    }
    let validated = Set(paths.flatMap(\.path.certificates))
    for certificate in presented where !validated.contains(certificate) {
      for pin in expected where pin.matches(certificate) {
        hints.append(.onlyPresented(pin, certificate))
      }
    }
    return hints
  }

  /// Something that may help whoever configures pins.
  @nonexhaustive
  public enum Hint: Sendable, Hashable {
    /// The pin is the digest of the whole certificate, not of its key.
    case digestOfCertificate(Pin, Certificate)
    /// The pin is the digest of the key's bits without their header.
    case digestOfRawKey(Pin, Certificate)
    /// The pinned certificate was sent, but is on no valid path: somebody may have appended it.
    case onlyPresented(Pin, Certificate)
  }
}

extension PinMismatch.Hint: CustomStringConvertible {
  /// The hint in words.
  public var description: String {
    switch self {
    case .digestOfCertificate(let pin, let certificate):
      "\(pin) is the digest of the whole certificate of \(certificate.shortName); the pin of its "
        + "key is \(certificate.publicKey.pin)"
    case .digestOfRawKey(let pin, let certificate):
      "\(pin) is the digest of the bare key of \(certificate.shortName), without the header of the "
        + "SubjectPublicKeyInfo; its pin is \(certificate.publicKey.pin)"
    case .onlyPresented(let pin, let certificate):
      "\(pin) is the key of \(certificate.shortName), which the server sent, but which is on no "
        + "valid path: whoever sits in between can append it"
    }
  }
}

extension PinMismatch: CustomStringConvertible {
  /// What was seen on each path and what was expected, in lines that can be copied.
  ///
  /// ```
  /// no pin of www.example.com is on a valid path
  ///   path 1:
  ///     leaf    sha256/…  CN=www.example.com
  ///     anchor  sha256/…  CN=Intercepting Proxy CA
  ///     none of these is pinned
  ///   expected for **.example.com:
  ///     sha256/…
  /// ```
  public var description: String {
    var lines = ["no pin of \(host) is on a valid path"]
    for (number, path) in paths.prefix(8).enumerated() {
      lines.append("  path \(number + 1):")
      for observed in path.observed {
        let scope = "\(observed.scope)"
        let blanks = String(repeating: " ", count: max(14 - scope.utf8.count, 1))
        lines.append("    \(scope)\(blanks)\(observed.pin)  \(observed.shortName)")
      }
      lines.append("    \(path.reason)")
    }
    if paths.count > 8 { lines.append("  \(paths.count - 8) more valid paths are without a pin") }
    lines.append("  expected for \(pattern):")
    for pin in pins.pins.prefix(32) { lines.append("    \(pin.line)") }
    if pins.pins.count > 32 { lines.append("    and \(pins.pins.count - 32) more") }
    if pins.pins.isEmpty { lines.append("    nothing that could be there") }
    for pin in pins.denied.prefix(32) { lines.append("    never \(pin)") }
    for hint in hints.prefix(8) { lines.append("  hint: \(hint)") }
    return lines.joined(separator: "\n")
  }

  /// The same facts as a JSON object, ready for programs.
  public var json: String {
    var object = JSONObject()
    object.add("verdict", "pinMismatch")
    object.add("host", "\(host)")
    object.add("time", "\(time)")
    object.add("pattern", "\(pattern)")
    object.add("paths", raw: JSONObject.array(paths.map(\.json)))
    object.add("expected", raw: JSONObject.array(pins.pins.map(\.json)))
    object.add("denied", raw: JSONObject.array(pins.denied.map { JSONObject.string("\($0)") }))
    object.add("hints", raw: JSONObject.array(hints.map { JSONObject.string("\($0)") }))
    object.add("rejections", raw: JSONObject.array(pathError.invalidRejections.map(\.json)))
    return object.text
  }
}

extension PinnedPath.Observed {
  /// The name, cut short and escaped.
  public var shortName: String { certificate?.shortName ?? name.short }

  var json: String {
    var object = JSONObject()
    object.add("role", "\(scope)")
    object.add("subject", "\(name)")
    if let certificate {
      object.add("serialNumber", "\(certificate.serialNumber)")
      object.add("notAfter", "\(certificate.notAfter)")
    }
    object.add("pins", raw: JSONObject.array(pins.map { JSONObject.string("\($0)") }))
    return object.text
  }
}

extension PinnedPath {
  var json: String {
    var object = JSONObject()
    object.add("certificates", raw: JSONObject.array(observed.map(\.json)))
    object.add("reason", "\(reason)")
    return object.text
  }
}

extension ScopedPin {
  /// `sha256/…  leaf only, backup key`.
  var line: String {
    let place = scope == .any ? nil : "as \(scope) only"
    let rest = [place, label, isForDebugging ? "for debugging" : nil].compactMap(\.self)
    return rest.isEmpty ? "\(pin)" : "\(pin)  \(rest.joined(separator: ", "))"
  }

  var json: String {
    var object = JSONObject()
    object.add("pin", "\(pin)")
    object.add("scope", "\(scope)")
    if let label { object.add("label", label) }
    return object.text
  }
}

extension PathError {
  /// The paths that broke a rule of validation, and not only the pins.
  var invalidRejections: [Rejection] {
    rejections.filter { $0.rule != .veto }
  }
}
