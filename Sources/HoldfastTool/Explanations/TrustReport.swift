internal import Holdfast
internal import HoldfastJSON

/// Verdicts and refusals as JSON objects.
extension Verdict {
  /// `verdict`, `host`, `path`, `pathNumber`, `observed`, `pinning` and what belongs to that, and
  /// `warnings`.
  var document: Document {
    var document = Document()
    document.add("verdict", "trusted")
    document.add("host", host ?? "")
    if let path {
      document.add("path", path.document)
      document.add("pathNumber", pathNumber)
      document.add("observed", path.places.map(\.document))
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
    case .excluded(let pattern): addNotPinned("excluded by \(pattern)", to: &document)
    case .pinsExpired(let time): addNotPinned("expired at \(time)", to: &document)
    case .validPath, .nothingChecked, .all, .custom: addNotPinned("unknownHost", to: &document)
    @unknown default: addNotPinned("unknown", to: &document)
    }
    document.add("warnings", warnings.map { "\($0)" })
    return document
  }

  private func addNotPinned(_ reason: String, to document: inout Document) {
    document.add("pinning", "notPinned")
    document.add("reason", reason)
  }
}

extension TrustError {
  /// `verdict` names the reason; of a path or a mismatch all that is known is there.
  var document: Document {
    switch self {
    case .invalidPath(let error): return error.document
    case .pinMismatch(let mismatch): return mismatch.document
    default: break
    }
    var document = Document()
    let (name, host): (String, String?) =
      switch self {
      case .invalidHost: ("unusable", nil)
      case .emptyChain(let host): ("noCertificates", host)
      case .unknownHost(let host): ("unknownHost", host)
      case .pinsExpired(let host, _): ("pinsExpired", "\(host)")
      default: ("refused", nil)
      }
    document.add("verdict", name)
    if let host { document.add("host", host) }
    switch self {
    case .pinsExpired(_, let time): document.add("expiry", "\(time)")
    case .emptyChain, .unknownHost: break
    default: document.add("problem", "\(self)")
    }
    return document
  }
}

extension PinMismatch {
  /// What was seen on each path and what was expected.
  var document: Document {
    var document = Document()
    document.add("verdict", "pinMismatch")
    document.add("host", "\(host)")
    document.add("time", "\(time)")
    document.add("pattern", "\(pattern)")
    document.add("paths", paths.map(\.document))
    document.add("expected", pins.pins.map(\.document))
    document.add("denied", pins.denied.map { "\($0)" })
    document.add("hints", hints.map { "\($0)" })
    let invalid = pathError.rejections.filter { $0.rule != .veto }
    document.add("rejections", invalid.map(\.document))
    return document
  }
}

extension PinnedPath {
  fileprivate var document: Document {
    var document = Document()
    document.add("certificates", path.places.map(\.document))
    document.add("reason", "\(reason)")
    return document
  }
}

extension PathPlace {
  fileprivate var document: Document {
    var document = Document()
    document.add("role", "\(scope)")
    document.add("subject", "\(name)")
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
    var document = Document()
    document.add("pin", "\(pin)")
    document.add("scope", "\(scope)")
    if let label { document.add("label", label) }
    return document
  }
}
