import Holdfast
import HoldfastIdentities
import HoldfastOpenSSL

// What README.md and the articles show of HoldfastOpenSSL, word for word: a test of ReadmeTests
// compares them, and this program compiles them.

private func ownConnection(_ manager: TrustManager) throws {
  let connection = try TLSClient(TLSVerifier(manager)).connect(to: "mail.example.com", port: 993)
  try connection.write(Array("a LOGOUT\r\n".utf8))
}

private func install(_ manager: TrustManager, _ context: OpaquePointer) throws {
  let verifier = TLSVerifier(manager)
  try verifier.installOnClient(context, host: "api.example.com")
}

private func printOutcome(_ ssl: OpaquePointer) {
  switch TLSVerifier.outcome(of: ssl) {
  case .accepted(let verdict)?: print(verdict)
  case .rejected(let rejection)?: print(rejection, rejection.alert)
  case nil: print("the peer has shown no certificate")
  }
}

private func knowClient(_ ssl: OpaquePointer) {
  if let client = TLSVerifier.client(of: ssl) {
    print(client.name, client.identities, client.leaf.pin)
  }
}

private func serve(_ clientAuthority: AnchorSet, _ context: OpaquePointer) throws {
  let clients = PathValidator(anchors: clientAuthority, rules: .rfc5280)
  try TLSVerifier(clients).installOnServer(context)
}

private func expectPeer(
  _ validator: PathValidator, _ context: OpaquePointer, _ ssl: OpaquePointer
) throws {
  try TLSVerifier(validator).installOnServer(context, requiresCertificate: false)
  // For each connection:
  try TLSVerifier.setHost("chat.example", of: ssl)
}

private func connect(_ manager: TrustManager, _ password: String) throws {
  var options = TLSClient.Options()
  options.identity = try Identity(file: "client.p12", password: password)
  let client = try TLSClient(TLSVerifier(manager), options: options)
  let connection = try client.connect(to: "api.example.com")
  print(connection.host)
}

private func connectElsewhere(_ manager: TrustManager) throws {
  let client = try TLSClient(TLSVerifier(manager))
  let connection = try client.connect(to: "api.example.com", port: 8443, address: "127.0.0.1")
  try connection.write(Array("GET / HTTP/1.0\r\nHost: api.example.com\r\n\r\n".utf8))
  print(String(decoding: try connection.read(), as: UTF8.self))
}
