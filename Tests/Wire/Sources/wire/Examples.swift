import COpenSSL
import Holdfast
import HoldfastHTTP
import HoldfastIdentities
import HoldfastOnline
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

private func shake(_ descriptor: CInt, _ verifier: TLSVerifier) throws {
  guard let context = SSL_CTX_new(TLS_client_method()) else { return }
  defer { SSL_CTX_free(context) }
  try verifier.installOnClient(context, host: "api.example.com")
  guard let ssl = SSL_new(context) else { return }
  defer { SSL_free(ssl) }
  SSL_set_fd(ssl, descriptor)
  // The name for SNI, as the macro SSL_set_tlsext_host_name sets it.
  var name = Array("api.example.com".utf8CString)
  SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name)
  let isConnected = SSL_connect(ssl) == 1
  print(isConnected)
}

private func clientWithFetched(_ anchors: AnchorSet, _ chain: [Certificate]) async throws
  -> HTTPClient
{
  let demand = Revocation(.required(of: .leaf))
  let online = OnlineValidator(
    PathValidator(anchors: anchors, rules: .rfc5280, revocation: demand),
    fetching: HTTPFetcher(allowing: [try AddressRange("10.0.0.0/8")]))
  let answer = await online.answer(
    to: Question(chain, for: try .server("db.internal.example")))
  let client = HTTPClient(
    PathValidator(anchors: anchors, rules: .rfc5280, revocation: answer.revocation))
  return client
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
