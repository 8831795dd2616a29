import Foundation
import FoundationNetworking
import Holdfast
import HoldfastCompatibility
import HoldfastHTTP
import HoldfastIdentities
import HoldfastOpenSSL
import HoldfastTrustStores
import HoldfastURLSession

// The code in the README and in the articles, compiled.

func ownCA() throws -> HTTPClient {
  let manager = TrustManager(anchors: try AnchorSet(file: "ca.pem"))
  let client = HTTPClient(manager)
  return client
}

func strangers(_ manager: TrustManager, _ url: String) async throws -> [UInt8] {
  let client = HTTPClient(manager, options: .publicOnly)
  let (data, response) = try await client.data(from: url)
  print(response.status)
  return data
}

func deliver(
  _ client: HTTPClient, _ body: [UInt8], _ failures: inout [String: Int], _ again: inout [[UInt8]]
) async {
  do throws(HTTPError) {
    let (data, _) = try await client.post("https://hooks.example/in", body: body)
    print(data.count)
  } catch {
    failures[error.code, default: 0] += 1
    if error.isTransient, !error.wasSent { again.append(body) }
  }
}

func partners() async throws -> HTTPClient {
  let bank = HostTrust(
    anchors: try AnchorSet(file: "bank-ca.pem"),
    revocation: Revocation(.required(of: .leaf), crls: [try CRL(file: "bank.crl")]))
  let post = HostTrust(anchors: try AnchorSet(file: "post-ca.pem"), rules: .rfc5280)
  let pins = try PinSet(
    ["current": "sha256/…", "backup": "sha256/…"], expires: "2028-01-01")
  let table = try PinTable(
    ["api.bank.example": pins], trust: ["**.bank.example": bank, "*.post.example": post])
  let manager = TrustManager(pins: table, anchors: try .system(), otherHosts: .validate)
  let client = HTTPClient(manager)
  return client
}

func present(_ manager: TrustManager, _ password: String) throws -> HTTPClient {
  var options = HTTPOptions()
  options.identity = try Identity(file: "client.p12", password: password)
  let client = HTTPClient(manager, options: options)
  return client
}

func workload() async throws -> [UInt8] {
  let folder = "/run/spiffe"
  let bundle = try SPIFFEBundle(
    file: "\(folder)/svid_bundle.pem", of: SPIFFETrustDomain("example.org"))
  var options = HTTPOptions()
  options.identity = try Identity(
    certificateFile: "\(folder)/svid.pem", keyFile: "\(folder)/svid_key.pem")
  let validator = PathValidator(anchors: try AnchorSet(bundles: [bundle]))
  let client = HTTPClient(validator, peer: try .id("spiffe://example.org/api"), options: options)
  let (data, _) = try await client.data(for: HTTPRequest("https://api.internal:8443/orders"))
  return data
}

func presentInSession(_ manager: TrustManager, _ password: String) throws -> URLSession {
  var options = HTTPOptions()
  options.identity = try Identity(file: "client.p12", password: password)
  let session = URLSession(configuration: .pinned(manager, options: options))
  return session
}

func request(_ manager: TrustManager) async throws {
  let client = HTTPClient(manager)
  let (data, response) = try await client.data(for: HTTPRequest("https://api.example.com/v1"))
  print(response.status, data.count)
}

struct Flour: Decodable { let name: String }
struct BakeryError: Error { let status: Int }

func decode(_ client: HTTPClient) async throws -> [Flour] {
  let (data, response) = try await client.data(from: "https://api.example.com/v1/flours")
  guard response.isSuccess else { throw BakeryError(status: response.status) }
  let flours = try JSONDecoder().decode([Flour].self, from: Data(data))
  return flours
}

func stay(_ client: HTTPClient) async throws {
  let (data, response) = try await withTaskExecutorPreference(client.executor) {
    try await client.data(from: "https://api.example.com/v1")
  }
  print(response.status, data.count)
}

func send(_ manager: TrustManager, _ note: [UInt8]) async throws {
  let client = HTTPClient(manager)
  var request = HTTPRequest("https://api.example.com/v1/notes", method: "POST")
  request.fields["Content-Type"] = "text/plain"
  request.body = .bytes(note)
  let (_, response) = try await client.data(for: request)
  print(response.fields["Location"] ?? "")
}

func stream(_ client: HTTPClient) async throws {
  let request = HTTPRequest("https://api.example.com/v1/archive")
  let (body, _) = try await client.bytes(for: request)
  var count = 0
  for try await piece in body { count += piece.count }
  let response = try await client.download(for: request, to: "archive.zip") { progress in
    print(progress.received, progress.receivedTotal ?? 0)
  }
  print(response.status)
  print(count)
}

func handle(_ client: HTTPClient) async {
  do throws(HTTPError) {
    let request = HTTPRequest("https://api.example.com/v1")
    let (data, _) = try await client.data(for: request)
    print(data.count)
  } catch {
    if case .notTrusted(let reason) = error { print(reason) }  // a TrustError; nothing was sent
    print(error.summary)
  }
}

func log(_ client: HTTPClient) async {
  do {
    let (data, _) = try await client.data(from: "https://www.demo.example/flour")
    print(data.count)
  } catch {
    print(error.logLine)  // an HTTPError
  }
}

func session(_ manager: TrustManager, _ url: URL) async throws {
  let session = URLSession(configuration: .pinned(manager))
  let (data, response) = try await session.data(from: url)
  print(data.count, response)
}

func ported(
  _ policy: AFSecurityPolicy, _ manager: ServerTrustManager, _ identity: Identity
) throws -> [URLSession] {
  let validator = PathValidator(anchors: try .system(), rules: .apple)
  let afnetworking = URLSession(configuration: .pinned(policy, validator: validator))
  let alamofire = URLSession(
    configuration: .pinned(manager, validator: validator, identity: identity))
  return [afnetworking, alamofire]
}

func proxied(_ manager: TrustManager, _ proxyManager: TrustManager) -> HTTPClient {
  var options = HTTPOptions()
  options.proxy = HTTPProxy(
    "https://proxy.example:3129", credentials: ("me", "secret"),
    verifier: TLSVerifier(proxyManager))
  return HTTPClient(manager, options: options)
}
