// As Refused.swift, for what the trait Curl adds.
import Foundation
import HoldfastCompatibility
import HoldfastOnline

func bundles() throws {
  // 13. Alamofire's bundles
  // refused: Certificate.certificates(inFolder:
  _ = Bundle.main.af.certificates
  // 14. AFNetworking's
  // refused: certificates(in: folder)
  _ = AFSecurityPolicy.certificates(in: Bundle.main)
}

func requests(_ client: HTTPClient) async throws {
  // 15. URLRequest(url:)
  // refused: HTTPRequest("https://…")
  _ = HTTPRequest(url: "https://h.example/")
  // 16. requests.get
  // refused: use data(from: url)
  _ = try await client.get("https://h.example/")
  // 17. HTTPURLResponse
  let response = try await client.data(from: "https://h.example/").response
  // refused: status
  print(response.statusCode)
  // 18. async-http-client
  // refused: fields
  print(response.headers)
}

func settings() throws {
  // 19. InsecureSkipVerify, verify=False
  var options = HTTPOptions()
  // refused: HTTPClient(anchors: try AnchorSet(file:
  options.insecureSkipVerify = true
  // 20. A development server
  // refused: HTTPClient(anchors: try AnchorSet(file: "server.pem"), rules: .rfc5280)
  options.acceptSelfSigned = true
  // 21. Ports beside addresses
  // refused: FetchPolicy
  _ = HTTPFetcher(allowing: [], ports: [80, 8080])
}
