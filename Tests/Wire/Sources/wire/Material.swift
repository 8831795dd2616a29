import Foundation
import Holdfast
import HoldfastIdentities
import HoldfastOpenSSL

/// What Scripts/wire/wire_material.py has made.
struct Material: Sendable {
  let folder: String
  let root: AnchorSet
  let clientsRoot: AnchorSet

  init(_ folder: String) throws {
    self.folder = folder
    root = AnchorSet(try Certificate.certificates(inFile: "\(folder)/root.pem"))
    clientsRoot = AnchorSet(try Certificate.certificates(inFile: "\(folder)/clients-root.pem"))
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func certificate(_ name: String) throws -> Certificate {
    try Certificate.certificates(inFile: "\(folder)/\(name).pem")[0]
  }

  /// The identity of a PKCS #12 file, or that of a chain and its key.
  func identity(_ name: String) throws -> Identity {
    func bytes(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
    if name.hasSuffix(".p12") { return try Identity(pkcs12: bytes(name), password: "secret") }
    return try Identity(pem: bytes("\(name).key"), certificates: bytes("\(name).pem"))
  }

  /// A manager with the keys of some certificates and a backup as pins of the host.
  func manager(
    _ names: [String], host: String = "wire.example", cache: SignatureCache? = SignatureCache()
  ) throws -> TrustManager {
    var pins = try names.map { Pin(keyOf: try certificate($0)) }
    pins.append(Pin(keyOf: try certificate("backup")))
    return TrustManager(
      pins: try PinTable([host: PinSet(pins)]), anchors: root, cache: cache)
  }
}
