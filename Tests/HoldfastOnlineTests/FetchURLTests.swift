import Holdfast
import TestSupport
import Testing

@testable import HoldfastOnline

/// Expectations from RFC 3986 and CA/B BR §7.1.2.7.7, and from how resolvers read numbers.
@Suite("URLs that are fetched") struct FetchURLTests {
  @Test(
    "plain URLs are read, and written in one way",
    arguments: [
      ("http://ca.example/i.crt", "http://ca.example/i.crt"),
      ("HTTP://CA.Example/I.crt", "http://ca.example/I.crt"),
      ("http://ca.example", "http://ca.example/"),
      ("http://ca.example:80/a?b=c", "http://ca.example/a?b=c"),
      ("http://ca.example?b", "http://ca.example/?b"),
      ("http://ca.example./x", "http://ca.example/x"),
      ("http://ca.example/x#part", "http://ca.example/x"),
      ("http://ca_1.example/%20", "http://ca_1.example/%20"),
    ])
  func plain(text: String, written: String) throws {
    #expect(try FetchURL(text).text == written)
  }

  @Test(
    "a refusal does not repeat a user, whatever its bytes are",
    arguments: ["pass\u{E4}word", "pass/word", String(repeating: "passw", count: 80), "pass\0word"])
  func user(password: String) {
    let error = #expect(throws: FetchError.self) {
      try FetchURL("http://me:\(password)@ca.example/\u{E4}")
    }
    guard case .invalidURL(let shown, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(shown == "http://…@ca.example/??")
  }

  @Test(
    "everything else is refused, with the reason",
    arguments: [
      ("", "scheme"), ("http://", "scheme"), ("https://ca.example/", "scheme"),
      ("ldap://ca.example/cn", "scheme"), ("file:///etc/passwd", "scheme"),
      ("ftp://ca.example/", "scheme"), ("gopher://ca.example/", "scheme"),
      ("//ca.example/", "scheme"), ("http:ca.example", "scheme"), ("http:/ca.example", "scheme"),
      ("http:///path", ""), ("http://user@ca.example/", "credentials"),
      ("http://user:word@ca.example/", "credentials"),
      ("http://ca.example@127.0.0.1/", "credentials"), ("http://127.0.0.1/", "address"),
      ("http://93.184.216.34/", "address"), ("http://[::1]/", "address"),
      ("http://[::ffff:127.0.0.1]/", "address"), ("http://2130706433/", ""),
      ("http://0x7f000001/", "address"), ("http://0x7f.1/", ""), ("http://127.1/", ""),
      ("http://0177.0.0.1/", ""), ("http://127.0.0.1./", ""), ("http://ca.0x7f/", "address"),
      ("http://localhost/", "without a dot"), ("http://intranet/x", "without a dot"),
      ("http://ca.example:8080/", "port is 8080"), ("http://ca.example:/", "port"),
      ("http://ca.example:0/", "port"), ("http://ca.example:65616/", "port"),
      ("http://ca.example:+80/", "port"), ("http://ca.example:22/", "port is 22"),
      ("http://ca.example\\@evil.example/", "character"), ("http://ca.example/a b", "character"),
      ("http://ca.example/\r\nHost: evil", "character"), ("http://ca.example/\0", "character"),
      ("http://\u{43C}.example/", "character"), ("http://ca.example/\u{E4}", "character"),
      ("http://ca..example/", ""), ("http://-ca.example/", ""), ("http://*.example/", ""),
      ("http://ca%2eexample/", ""), ("http://ca.example%00.evil.example/", ""),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: FetchError.self) { try FetchURL(text) }
    switch error {
    case .invalidURL(_, let found)?: #expect(found.contains(reason), "\(text): \(found)")
    case .portNotAllowed(_, let port)?: #expect("port is \(port)".contains(reason), "\(text)")
    case .hostNotAllowed(_, let found)?: #expect(found.contains(reason), "\(text): \(found)")
    default: Issue.record("\(text): \(String(describing: error))")
    }
  }

  /// The hosts of private CAs. RFC 3986 §3.2.2, RFC 5952 §4.
  @Test(
    "an address is read if a range contains it, and a name without a dot if there are ranges",
    arguments: [
      ("http://10.0.0.1/ca.crl", "http://10.0.0.1/ca.crl"),
      ("http://10.0.0.1:80", "http://10.0.0.1/"),
      ("http://10.255.255.255?a", "http://10.255.255.255/?a"),
      ("http://[2001:DB8::1]/x", "http://[2001:db8::1]/x"),
      ("http://[2001:db8:0:0::1]:80", "http://[2001:db8::1]/"),
      ("http://[2001:db8::1]:8080/", "http://[2001:db8::1]:8080/"),
      ("http://[::ffff:10.0.0.1]/", "http://10.0.0.1/"), ("http://pki/ca.crl", "http://pki/ca.crl"),
      ("http://PKI.:8080/ca.crl", "http://pki:8080/ca.crl"),
      ("http://localhost/", "http://localhost/"),
    ])
  func ofPrivateCA(text: String, written: String) throws {
    let ranges = try ["10.0.0.0/8", "2001:db8::/32"].map { try AddressRange($0) }
    #expect(try FetchURL(text, ports: [80, 8080], ranges: ranges).text == written)
    let error = #expect(throws: FetchError.self) { try FetchURL(text, ports: [80, 8080]) }
    guard case .hostNotAllowed? = error else {
      Issue.record("\(text): \(String(describing: error))")
      return
    }
    #expect(error?.description.hasSuffix("; allow it with HTTPFetcher(allowing:)") == true)
  }

  @Test("a private CA's hosts are asked if the fetcher allows their addresses")
  func privateHosts() async throws {
    let (issuers, ocsp) = ("http://10.0.0.1/ca.crt", "http://pki/ocsp/")
    let made = try Published([Published.access(ocsp: [ocsp], issuers: [issuers])])
    let demand = Revocation(.required(of: .leaf))
    for ranges in [[], ["10.0.0.0/8"]] {
      let servers = Servers(allowing: try ranges.map { try AddressRange($0) })
      servers.serve(issuers, made.intermediate.der)
      let answer = await made.validator(servers).answer(to: made.request([made.leaf], demand))
      #expect(servers.urls.contains(issuers) == !ranges.isEmpty)
      // By GET and, since that has no answer, by POST.
      #expect(servers.urls.count { $0.hasPrefix(ocsp) } == (ranges.isEmpty ? 0 : 2))
      guard ranges.isEmpty else { continue }
      #expect(
        answer.fetches.map(\.outcome) == [
          .failed(.hostNotAllowed(issuers, reason: "its host is an address, not a name"))
        ])
    }
  }

  @Test(
    "other addresses are refused, and so is every other notation of one",
    arguments: [
      "http://11.0.0.1/", "http://93.184.216.34/", "http://127.0.0.1/", "http://[::1]/",
      "http://[2001:db9::1]/", "http://[::ffff:11.0.0.1]/", "http://10.1/", "http://167772161/",
      "http://0xa.0.0.1/", "http://0x0a000001/", "http://012.0.0.1/", "http://10.0.0.1./",
      "http://10.0.0.01/", "http://[10.0.0.1]/", "http://[2001:db8::1%25eth0]/",
      "http://[2001:db8::1/", "http://[2001:db8::1]x/", "http://[2001:db8::1]80/",
      "http://2001:db8::1/", "http://[]/", "http://me@10.0.0.1/", "http://10.0.0.1:81/",
      "http://0x7f/", "http://pki%2e/",
    ])
  func ofOthers(text: String) throws {
    let ranges = try ["10.0.0.0/8", "2001:db8::/32"].map { try AddressRange($0) }
    let url = try? FetchURL(text, ranges: ranges)
    #expect(url == nil)
  }

  @Test("a port is read if the caller allows it, and the longest URL is bounded")
  func limits() throws {
    let other = try FetchURL("http://ca.example:8080", ports: [80, 8080])
    #expect(other.port == 8080 && other.text == "http://ca.example:8080/")
    let long = "http://ca.example/" + String(repeating: "x", count: FetchURL.maximumLength)
    #expect(throws: FetchError.self) { try FetchURL(long) }
    #expect(try FetchURL(String(long.prefix(FetchURL.maximumLength))).text.utf8.count == 2_048)
  }

  @Test("what a proxy has to do with an error is said, by its name")
  func throughProxy() {
    let proxy = "http://proxy.example:3128"
    func text(_ error: FetchError) -> String { FetchError.through(proxy, error).description }
    #expect(
      text(.unreachable(host: proxy, reason: "Connection refused"))
        == "cannot connect to the proxy \(proxy): Connection refused")
    #expect(text(.noAddress(host: proxy)) == "the proxy \(proxy) has no address")
    #expect(
      FetchError.through(proxy, .noAddress(host: proxy)).summary == "The proxy cannot be used.")
    #expect(text(.status(407)) == "the proxy \(proxy) answered with status 407")
    #expect(
      text(.status(502)) == "through the proxy \(proxy): the server answered with status 502")
    #expect(
      FetchError.through(proxy, .timeout).text(beside: "http://a.example/")
        == "through the proxy \(proxy): no answer in time")
  }

  @Test("beside its URL an error does not name the host again, and beside another it does")
  func besideURL() {
    let error = FetchError.noAddress(host: "b.example")
    for url in ["http://b.example/x", "http://b.example", "http://b.example:8080/"] {
      #expect(error.text(beside: url) == "the host has no address")
    }
    for url in [
      "http://a.example/", "http://b.example.org/", "http://a.example/b.example", "",
      "ldap:xxb.example/", "b.example",
    ] {
      #expect(error.text(beside: url) == "b.example has no address")
    }
    let host = FetchError.hostNotAllowed("http://pki/", reason: "its host is a name without a dot")
    #expect(
      host.text(beside: "http://pki/")
        == "not fetched: its host is a name without a dot; allow it with HTTPFetcher(allowing:)")
    let refused = FetchError.invalidURL("http://b.example:22/", reason: "its port is 22")
    #expect(refused.text(beside: "http://b.example:22/") == "not fetched: its port is 22")
    #expect(
      refused.text(beside: "http://a.example/")
        == "\"http://b.example:22/\" is not fetched: its port is 22")
  }
}
