internal import CPeerOpenSSL

/// A key pair in OpenSSL with a signature made by it, and the same verified by it.
@safe
final class OpenSSLKey {
  private let key: UnsafeMutableRawPointer
  private let hash: UnsafeRawPointer?
  let message: [UInt8]
  private(set) var signature: [UInt8]
  /// 1 for PSS.
  private let padding: Int32

  static var version: String {
    // SAFETY: the library's own constant string.
    unsafe String(cString: peer_openssl_version())
  }

  /// Takes over a new key; nil if OpenSSL could not make it or sign with it.
  private init?(
    _ key: UnsafeMutableRawPointer?, hash: String?, message: [UInt8], pss: Bool = false
  ) {
    // SAFETY: OpenSSL keeps its digests for as long as the process lives.
    guard let key = unsafe key else { return nil }
    unsafe self.key = unsafe key
    unsafe self.hash = hash.flatMap { unsafe peer_openssl_hash($0) }
    self.message = message
    padding = pss ? 1 : 0
    signature = []
    signature = sign(message)
    guard !signature.isEmpty else { return nil }
  }

  deinit {
    // SAFETY: the key is this object's own.
    unsafe peer_openssl_free(key)
  }

  static func rsa(
    _ bits: Int, hash: String, message: [UInt8], pss: Bool = false
  ) -> OpenSSLKey? {
    // SAFETY: a new key or null.
    unsafe OpenSSLKey(
      peer_openssl_rsa_key(UInt32(bits)), hash: hash, message: message, pss: pss)
  }

  static func ec(_ curve: String, hash: String, message: [UInt8]) -> OpenSSLKey? {
    // SAFETY: a new key or null.
    unsafe OpenSSLKey(peer_openssl_ec_key(curve), hash: hash, message: message)
  }

  /// "ED25519" or "ED448".
  static func edwards(_ name: String, message: [UInt8]) -> OpenSSLKey? {
    // SAFETY: a new key or null.
    unsafe OpenSSLKey(peer_openssl_edwards_key(name), hash: nil, message: message)
  }

  /// A public number, `n` or `e` of an RSA key.
  func number(_ name: String) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: 2_048)
    // SAFETY: the room is that of the array.
    let length = unsafe peer_openssl_number(key, name, &octets, octets.count)
    return [UInt8](octets.prefix(length))
  }

  /// The point of a curve's key, or the octets of an Ed25519 key.
  var publicKey: [UInt8] {
    var octets = [UInt8](repeating: 0, count: 256)
    // SAFETY: the room is that of the array.
    let length = unsafe peer_openssl_public_key(key, &octets, octets.count)
    return [UInt8](octets.prefix(length))
  }

  func verify() -> Bool {
    // SAFETY: the lengths are those of the arrays.
    unsafe peer_openssl_verify(
      key, hash, message, message.count, signature, signature.count, padding) == 1
  }

  /// The signature of another message; empty if there is none.
  func sign(_ message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 4_096)
    // SAFETY: the lengths are those of the arrays.
    let length = unsafe peer_openssl_sign(
      key, hash, message, message.count, &signature, signature.count, padding)
    return [UInt8](signature.prefix(length))
  }
}

/// A digest by OpenSSL.
@safe
struct OpenSSLHash {
  private let hash: UnsafeRawPointer

  init?(_ name: String) {
    // SAFETY: OpenSSL keeps its digests for as long as the process lives.
    guard let hash = unsafe peer_openssl_hash(name) else { return nil }
    unsafe self.hash = unsafe hash
  }

  /// The first octet of the digest.
  func hash(_ message: [UInt8]) -> UInt8 {
    // SAFETY: the length is that of the array.
    unsafe peer_openssl_digest(hash, message, message.count)
  }
}

/// A list as OpenSSL has it.
@safe
final class OpenSSLList {
  private let list: UnsafeMutableRawPointer

  init?(_ der: [UInt8], _ serial: UInt64) {
    // SAFETY: the length is that of the array.
    guard let list = unsafe peer_openssl_list(der, der.count, serial) else { return nil }
    unsafe self.list = unsafe list
  }

  deinit {
    // SAFETY: the list is this object's own.
    unsafe peer_openssl_list_free(list)
  }

  func has(_ serial: UInt64) -> Bool {
    // SAFETY: the list lives as long as this object.
    unsafe peer_openssl_list_has(list, serial) == 1
  }
}
