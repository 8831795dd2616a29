internal import Holdfast
internal import HoldfastJSON

/// Verdicts and refusals as JSON objects.
extension Verdict {
  /// `verdict`, `host`, `path`, `pathNumber`, `observed`, `pinning` and what belongs to that, and
  /// `warnings`.
  var json: String {
    var object = JSONObject()
    object.add("verdict", "trusted")
    object.add("host", host ?? "")
    if let path {
      object.add("path", raw: path.json)
      object.add("pathNumber", pathNumber)
      object.add("observed", raw: JSONObject.array(path.places.map(\.json)))
    }
    switch reason {
    case .pinned(let match):
      object.add("pinning", "matched")
      if let pin = match.pin { object.add("pin", raw: pin.json) }
      object.add("index", match.index)
      object.add("role", "\(match.scope)")
    case .reported(let mismatch):
      object.add("pinning", "reported")
      object.add("mismatch", raw: mismatch.json)
    case .excluded(let pattern): addNotPinned("excluded by \(pattern)", to: &object)
    case .pinsExpired(let time): addNotPinned("expired at \(time)", to: &object)
    case .validPath, .nothingChecked, .all, .custom: addNotPinned("unknownHost", to: &object)
    @unknown default: addNotPinned("unknown", to: &object)
    }
    object.add("warnings", raw: JSONObject.array(warnings.map { JSONObject.string("\($0)") }))
    return object.text
  }

  private func addNotPinned(_ reason: String, to object: inout JSONObject) {
    object.add("pinning", "notPinned")
    object.add("reason", reason)
  }
}

extension TrustError {
  /// `verdict` names the reason; of a path or a mismatch all that is known is there.
  var json: String {
    switch self {
    case .invalidPath(let error): return error.json
    case .pinMismatch(let mismatch): return mismatch.json
    default: break
    }
    var object = JSONObject()
    let (name, host): (String, String?) =
      switch self {
      case .invalidHost: ("unusable", nil)
      case .emptyChain(let host): ("noCertificates", host)
      case .unknownHost(let host): ("unknownHost", host)
      case .pinsExpired(let host, _): ("pinsExpired", "\(host)")
      default: ("refused", nil)
      }
    object.add("verdict", name)
    if let host { object.add("host", host) }
    switch self {
    case .pinsExpired(_, let time): object.add("expiry", "\(time)")
    case .emptyChain, .unknownHost: break
    default: object.add("problem", "\(self)")
    }
    return object.text
  }
}

extension PinMismatch {
  /// What was seen on each path and what was expected.
  var json: String {
    var object = JSONObject()
    object.add("verdict", "pinMismatch")
    object.add("host", "\(host)")
    object.add("time", "\(time)")
    object.add("pattern", "\(pattern)")
    object.add("paths", raw: JSONObject.array(paths.map(\.json)))
    object.add("expected", raw: JSONObject.array(pins.pins.map(\.json)))
    object.add("denied", raw: JSONObject.array(pins.denied.map { JSONObject.string("\($0)") }))
    object.add("hints", raw: JSONObject.array(hints.map { JSONObject.string("\($0)") }))
    let invalid = pathError.rejections.filter { $0.rule != .veto }
    object.add("rejections", raw: JSONObject.array(invalid.map(\.json)))
    return object.text
  }
}

extension PinnedPath {
  fileprivate var json: String {
    var object = JSONObject()
    object.add("certificates", raw: JSONObject.array(path.places.map(\.json)))
    object.add("reason", "\(reason)")
    return object.text
  }
}

extension PathPlace {
  fileprivate var json: String {
    var object = JSONObject()
    object.add("role", "\(scope)")
    object.add("subject", "\(name)")
    if let certificate {
      object.add("serialNumber", "\(certificate.serialNumber)")
      object.add("notAfter", "\(certificate.notAfter)")
    }
    let pins = [pin] + (certificate.map { [Pin($0)] } ?? [])
    object.add("pins", raw: JSONObject.array(pins.map { JSONObject.string("\($0)") }))
    return object.text
  }
}

extension ScopedPin {
  fileprivate var json: String {
    var object = JSONObject()
    object.add("pin", "\(pin)")
    object.add("scope", "\(scope)")
    if let label { object.add("label", label) }
    return object.text
  }
}
