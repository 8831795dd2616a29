internal import Holdfast

/// Verdicts and refusals as JSON objects.
extension Verdict {
  /// `verdict`, `host`, `path`, `pathNumber`, `observed`, `pinning` and what belongs to that, and
  /// `warnings`.
  var document: Document {
    var document: Document = ["verdict": "trusted", "host": host ?? ""]
    if let path {
      document.add("path", path.document)
      document.add("pathNumber", pathNumber)
      document.add("observed", path.places.map(\.document))
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
      document.add("mismatch", mismatch.document)
    case .excluded(let pattern): addNotPinned("excluded by \(pattern)")
    case .pinsExpired(let time): addNotPinned("expired at \(time)")
    case .validPath, .nothingChecked, .all, .custom: addNotPinned("unknownHost")
    @unknown default: addNotPinned("unknown")
    }
    document.add("warnings", warnings.map { "\($0)" })
    return document
  }
}

extension TrustError {
  /// `verdict` names the reason; of a path or a mismatch all that is known is there.
  var document: Document {
    switch self {
    case .invalidPath(let error): error.document
    case .pinMismatch(let mismatch): mismatch.document
    case .invalidHost: ["verdict": "unusable", "problem": "\(self)"]
    case .emptyChain(let host): ["verdict": "noCertificates", "host": host]
    case .unknownHost(let host): ["verdict": "unknownHost", "host": host]
    case .pinsExpired(let host, let time):
      ["verdict": "pinsExpired", "host": "\(host)", "expiry": "\(time)"]
    default: ["verdict": "refused", "problem": "\(self)"]
    }
  }
}

extension PinMismatch {
  /// What was seen on each path and what was expected.
  var document: Document {
    [
      "verdict": "pinMismatch",
      "host": "\(host)",
      "time": "\(time)",
      "pattern": "\(pattern)",
      "paths": paths.map(\.document),
      "expected": pins.pins.map(\.document),
      "denied": pins.denied.map { "\($0)" },
      "hints": hints.map { "\($0)" },
      "rejections": pathError.rejections.filter { $0.rule != .veto }.documents,
    ]
  }
}

extension PinnedPath {
  fileprivate var document: Document {
    ["certificates": path.places.map(\.document), "reason": "\(reason)"]
  }
}

extension PathPlace {
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
