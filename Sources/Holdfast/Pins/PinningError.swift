public import HoldfastCertificates
public import HoldfastPaths

/// Why a `TrustManager` refuses a server.
@nonexhaustive
public enum PinningError: Error, Sendable {
  /// The host is none: a URL, perhaps, or with a port.
  case unusableHost(String, HostNameError)
  /// The server has shown nothing.
  case noCertificates(HostName)
  /// The host is not in the table, and such hosts are refused.
  case unknownHost(HostName)
  /// No path is valid, whatever the pins are.
  indirect case invalidChain(PathError)
  /// There are valid paths, and none holds the pins.
  indirect case pinMismatch(PinMismatch)
  /// The pins have expired, and the set says that it then fails closed.
  case pinsExpired(HostName, Timestamp)
  /// There is a valid path on which the pins were not looked for: a mistake of this library.
  case pinsNotCompared(HostName)
}

extension PinningError: CustomStringConvertible {
  /// Why, with what was seen and what was expected.
  public var description: String {
    switch self {
    case .unusableHost(_, let error): "the host cannot be used: \(error)"
    case .noCertificates(let host): "\(host) has shown no certificate"
    case .unknownHost(let host):
      "there are no pins for \(host), and unknown hosts are refused"
    case .invalidChain(let error): "\(error)"
    case .pinMismatch(let mismatch): "\(mismatch)"
    case .pinsExpired(let host, let time):
      "the pins of \(host) have expired at \(time), and then every connection is refused"
    case .pinsNotCompared(let host):
      "there is a valid path of \(host) with which its pins were not compared"
    }
  }

  /// The same as a JSON object.
  public var json: String {
    var object = JSONObject()
    switch self {
    case .invalidChain(let error): return error.json
    case .pinMismatch(let mismatch): return mismatch.json
    case .unusableHost(_, let error):
      object.add("verdict", "unusable")
      object.add("problem", "\(error)")
    case .noCertificates(let host):
      object.add("verdict", "noCertificates")
      object.add("host", "\(host)")
    case .unknownHost(let host):
      object.add("verdict", "unknownHost")
      object.add("host", "\(host)")
    case .pinsExpired(let host, let time):
      object.add("verdict", "pinsExpired")
      object.add("host", "\(host)")
      object.add("expiry", "\(time)")
    case .pinsNotCompared(let host):
      object.add("verdict", "pinsNotCompared")
      object.add("host", "\(host)")
    }
    return object.text
  }
}
