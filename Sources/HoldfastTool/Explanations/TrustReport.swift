internal import Holdfast

/// Verdicts and rejections as JSON objects.
extension Verdict {
  /// `verdict`, `host`, `path`, `pathNumber`, `observed`, `pinning` and what belongs to that, and
  /// `warnings`.
  func document(_ sources: RevocationSources) -> Document {
    var document: Document = ["verdict": "trusted", "host": host ?? ""]
    if let path {
      document.add("path", path.facts(sources, transparency))
      document.add("pathNumber", pathNumber)
      document.add("observed", path.elements.map(\.document))
    }
    func addNotPinned(_ reason: String) {
      document.add("pinning", "notPinned")
      document.add("reason", reason)
    }
    switch reason {
    case .pinned(let match):
      document.add("pinning", "matched")
      if let pin = match.pin { document.add("pin", pin.document) }
      document.add("index", match.index)
      document.add("role", "\(match.scope)")
    case .reported(let mismatch):
      document.add("pinning", "reported")
      document.add("mismatch", mismatch.document(sources))
    case .excluded(let pattern): addNotPinned("excluded by \(pattern)")
    case .pinsExpired(let time): addNotPinned("expired at \(time)")
    case .validPath, .nothingChecked, .all, .custom: addNotPinned("unknownHost")
    @unknown default: addNotPinned("unknown")
    }
    if let transparency { document.add("transparency", transparency.document) }
    document.add("warnings", warnings.map { "\($0)" })
    return document
  }
}

extension TrustError {
  /// The reason in one word.
  var verdict: String {
    switch self {
    case .invalidPath(let error): error.verdict
    case .pinMismatch: "pinMismatch"
    case .invalidHost: "unusable"
    case .emptyChain: "noCertificates"
    case .unknownHost: "unknownHost"
    case .pinsExpired: "pinsExpired"
    case .insufficientTransparency: "insufficientTransparency"
    default: "rejected"
    }
  }

  /// `verdict`, and of a path or a mismatch all that is known.
  func document(_ sources: RevocationSources) -> Document {
    var document: Document = ["verdict": verdict]
    let facts: Document =
      switch self {
      case .invalidPath(let error): error.facts(sources)
      case .pinMismatch(let mismatch): mismatch.document(sources)
      case .emptyChain(let host), .unknownHost(let host): ["host": host]
      case .pinsExpired(let host, let time): ["host": "\(host)", "expiry": "\(time)"]
      case .insufficientTransparency(let host, let report):
        ["host": host, "transparency": report.document]
      default: ["problem": "\(self)"]
      }
    document.addMembers(of: facts)
    return document
  }

  /// The text of `description`, with the places of CRLs and OCSP responses.
  func text(_ sources: RevocationSources) -> String {
    if case .invalidPath(let error) = self { return error.text(naming: sources.name(of:)) }
    return "\(self)"
  }
}

extension PinMismatch {
  /// What was seen on each path and what was expected.
  func document(_ sources: RevocationSources) -> Document {
    [
      "host": "\(host)",
      "time": "\(time)",
      "pattern": "\(pattern)",
      "paths": paths.map(\.document),
      "expected": pins.pins.map(\.document),
      "denied": pins.denied.map { "\($0)" },
      "hints": hints.map { "\($0)" },
      "rejections": pathError.rejections.filter { $0.rule != .veto }.documents(sources),
    ]
  }
}

extension PinnedPath {
  fileprivate var document: Document {
    ["certificates": path.elements.map(\.document), "reason": "\(reason)"]
  }
}

extension PathElement {
  fileprivate var document: Document {
    var document: Document = ["role": "\(scope)", "subject": "\(name)"]
    if let certificate {
      document.add("serialNumber", "\(certificate.serialNumber)")
      document.add("notAfter", "\(certificate.notAfter)")
    }
    let pins = [pin] + (certificate.map { [Pin($0)] } ?? [])
    document.add("pins", pins.map { "\($0)" })
    return document
  }
}

extension ScopedPin {
  fileprivate var document: Document {
    var document: Document = ["pin": "\(pin)", "scope": "\(scope)"]
    if let label { document.add("label", label) }
    return document
  }
}
