#if Curl && canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Holdfast
  import HoldfastCompatibility
  import HoldfastHTTP
  import HoldfastOpenSSL
  import HoldfastURLSession
  import HTTPTestSupport
  import Synchronization
  import Testing

  /// Foundation's sessions with pins.
  /// One test at a time: the storage of cookies is that of the process, and Foundation adds what is
  /// in it to requests of other tests.
  @Suite(
    "URLSession with pins", .serialized,
    .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"), .timeLimit(.minutes(10)))
  struct SessionTests {
    private func url(_ server: LoopbackServer, _ path: String) throws -> URL {
      try #require(URL(string: server.url(path)))
    }

    private func error(_ session: URLSession, _ request: URLRequest) async -> URLError? {
      await #expect(throws: URLError.self) { _ = try await session.data(for: request) }
    }

    @Test("an async request returns all bytes of a pinned server, and its fields")
    func data() async throws {
      let server = try LoopbackServer()
      let session = URLSession(configuration: .pinned(try Material.manager(pins: "good", "other")))
      let (data, response) = try await session.data(from: try url(server, "/bytes/3000000"))
      #expect(data.count == 3_000_000)
      #expect(data.prefix(256) == Data(0...255))
      let head = try #require(response as? HTTPURLResponse)
      #expect(head.statusCode == 200)
      #expect(head.value(forHTTPHeaderField: "Content-Length") == "3000000")
    }

    @Test("a body of the request arrives, from data and from a stream", arguments: [false, true])
    func body(isStream: Bool) async throws {
      let server = try LoopbackServer()
      let session = URLSession(configuration: .pinned(try Material.manager()))
      var request = URLRequest(url: try url(server, "/echo"))
      request.httpMethod = "POST"
      request.setValue("me", forHTTPHeaderField: "Authorization")
      let bytes = Data(repeating: 7, count: 200_000)
      if isStream {
        request.httpBodyStream = InputStream(data: bytes)
      } else {
        request.httpBody = bytes
      }
      let (data, _) = try await session.data(for: request)
      let seen = try JSONDecoder().decode(LoopbackServer.Log.Request.self, from: data)
      #expect(seen.method == "POST")
      #expect(seen.body?.size == 200_000)
      #expect(seen.headers["authorization"] == "me")
    }

    @Test("a callback and a delegate get the same bytes")
    func otherForms() async throws {
      let server = try LoopbackServer()
      let target = try url(server, "/bytes/1000000")
      let configuration = URLSessionConfiguration.pinned(try Material.manager())
      let count = try await withCheckedThrowingContinuation { continuation in
        URLSession(configuration: configuration).dataTask(with: target) { data, _, error in
          continuation.resume(with: error.map { .failure($0) } ?? .success(data?.count))
        }.resume()
      }
      #expect(count == 1_000_000)
      let collector = Collector()
      let session = URLSession(
        configuration: configuration, delegate: collector, delegateQueue: nil)
      session.dataTask(with: target).resume()
      #expect(try await collector.result() == 1_000_000)
    }

    private final class Collector: NSObject, URLSessionDataDelegate, Sendable {
      private let count = Mutex(0)
      private let (stream, end) = AsyncThrowingStream<Int, any Error>.makeStream()

      func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive data: Data) {
        count.withLock { $0 += data.count }
      }

      func urlSession(
        _: URLSession, task _: URLSessionTask, didCompleteWithError error: (any Error)?
      ) {
        end.yield(count.withLock { $0 })
        end.finish(throwing: error)
      }

      func result() async throws -> Int? {
        var last: Int?
        for try await count in stream { last = count }
        return last
      }
    }

    @Test("rejections have Apple's codes and the trust error beneath")
    func codes() async throws {
      let server = try LoopbackServer()
      let request = URLRequest(url: try url(server, "/hello"))
      let pinned = URLSession(
        configuration: .pinned(try Material.manager(pins: "other", "client")))
      let pins = await error(pinned, request)
      #expect(pins?.code == .serverCertificateUntrusted)
      guard case .pinMismatch = pins?.userInfo[NSUnderlyingErrorKey] as? TrustError else {
        Issue.record("\(String(describing: pins))")
        return
      }
      let unknown = TrustManager(
        pins: try PinTable([:]), anchors: AnchorSet([try Material.certificate("client")]),
        otherHosts: .validate)
      let root = await error(URLSession(configuration: .pinned(unknown)), request)
      #expect(root?.code == .serverCertificateHasUnknownRoot)
      #expect(try await server.log().requests.isEmpty)
      let session = URLSession(configuration: .pinned(try Material.manager()))
      let plain = await error(
        session, try URLRequest(url: #require(URL(string: "http://localhost/"))))
      #expect(plain?.code == .appTransportSecurityRequiresSecureConnection)
      var slow = URLRequest(url: try url(server, "/hang?seconds=60"))
      slow.timeoutInterval = 1
      #expect(await error(session, slow)?.code == .timedOut)
    }

    @Test(
      "a certificate that has expired or is not yet valid has a code of its own",
      arguments: [
        (31, .serverCertificateHasBadDate), (-2, .serverCertificateNotYetValid),
      ] as [(Int64, URLError.Code)])
    func dates(days: Int64, code: URLError.Code) async throws {
      let server = try LoopbackServer()
      let time = Timestamp(secondsSince1970: Timestamp.now.secondsSince1970 + days * 86400)
      let client = HTTPClient(TLSVerifier(try Material.manager(), clock: { time }))
      let found = await error(
        URLSession(configuration: .pinned(client)), URLRequest(url: try url(server, "/hello")))
      #expect(found?.code == code)
      #expect(found?.userInfo[NSUnderlyingErrorKey] is TrustError)
      #expect(try await server.log().requests.isEmpty)
    }

    @Test("localizedDescription is the sentence for users, of a session's error and of its reason")
    func localized() async throws {
      let server = try LoopbackServer("elsewhere")
      let session = URLSession(configuration: .pinned(try Material.manager()))
      let found = try #require(
        await error(session, URLRequest(url: try url(server, "/hello"))))
      let sentence = "The certificate of localhost is for another host."
      #expect(found.localizedDescription == sentence)
      let reason = try #require(found.userInfo[NSUnderlyingErrorKey] as? TrustError)
      #expect((reason as any Error).localizedDescription == sentence)
      #expect((reason as any LocalizedError).failureReason == reason.logLine)
      #expect(
        (HTTPError.timeout(host: "a.example", wasSent: true) as any Error).localizedDescription
          == "a.example did not answer in time.")
    }

    @Test("a server without TLS is no secure connection")
    func withoutTLS() async throws {
      let server = try LoopbackServer("good", "--plain")
      let target = try #require(URL(string: "https://localhost:\(server.port)/hello"))
      let session = URLSession(configuration: .pinned(try Material.manager()))
      #expect(await error(session, URLRequest(url: target))?.code == .secureConnectionFailed)
      #expect(try await server.log().requests.isEmpty)
    }

    @Test(
      "the cookie of a redirect goes to the same host, unless the request handles none",
      arguments: [
        ("localhost", true, true), ("127.0.0.1", true, false), ("localhost", false, false),
      ])
    func cookies(host: String, handles: Bool, isSent: Bool) async throws {
      let server = try LoopbackServer()
      let session = URLSession(configuration: .pinned(try Material.manager()))
      let to =
        server.url("/echo", host: host)
        .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      // The storage is that of the process: each case has a cookie of its own.
      let name = "test-\(host)-\(handles)"
      let path = "/redirect?status=302&cookie=\(name)%3D1%3BPath%3D/echo&to=\(to)"
      var request = URLRequest(url: try url(server, path))
      request.httpShouldHandleCookies = handles
      let (data, _) = try await session.data(for: request)
      let stored = HTTPCookieStorage.shared.cookies?.filter { $0.name == name } ?? []
      for cookie in stored { HTTPCookieStorage.shared.deleteCookie(cookie) }
      let seen = try JSONDecoder().decode(LoopbackServer.Log.Request.self, from: data)
      #expect(seen.headers["cookie"]?.contains("\(name)=1") == (isSent ? true : nil))
      #expect(stored.count == (handles ? 1 : 0))
    }

    /// What a configuration says of cookies.
    struct CookieCase: CustomTestStringConvertible {
      let name: String
      let isSent: Bool
      let isStored: Bool
      let change: @Sendable (URLSessionConfiguration) -> Void
      var testDescription: String { name }

      static let all = [
        CookieCase(name: "default", isSent: true, isStored: true) { _ in },
        CookieCase(name: "no storage", isSent: false, isStored: false) {
          $0.httpCookieStorage = nil
        },
        CookieCase(name: "no sending", isSent: false, isStored: true) {
          $0.httpShouldSetCookies = false
        },
        CookieCase(name: "never", isSent: true, isStored: false) {
          $0.httpCookieAcceptPolicy = .never
        },
        CookieCase(name: "all", isSent: false, isStored: false) {
          $0.httpCookieStorage = nil
          $0.httpShouldSetCookies = false
          $0.httpCookieAcceptPolicy = .never
        },
      ]
    }

    @Test(
      "cookies are sent and stored as the configuration of the session says",
      arguments: CookieCase.all)
    func cookies(of what: CookieCase) async throws {
      let server = try LoopbackServer()
      // The storage is that of the process, and cookies do not tell ports apart.
      let (old, new) = ("old-\(server.port)", "new-\(server.port)")
      let cookie = try #require(
        HTTPCookie(properties: [
          .name: old, .value: "1", .domain: "localhost", .path: "/",
        ]))
      HTTPCookieStorage.shared.setCookie(cookie)
      defer {
        for cookie in HTTPCookieStorage.shared.cookies ?? []
        where [old, new].contains(cookie.name) { HTTPCookieStorage.shared.deleteCookie(cookie) }
      }
      let configuration = URLSessionConfiguration.pinned(try Material.manager())
      what.change(configuration)
      let session = URLSession(configuration: configuration)
      let to =
        server.url("/echo").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let target = try url(server, "/redirect?status=302&cookie=\(new)%3D1%3BPath%3D/&to=\(to)")
      _ = try await session.data(from: target)
      let requests = try await server.log().requests
      #expect(requests.count == 2)
      for request in requests {
        #expect((request.headers["cookie"]?.contains("\(old)=1") == true) == what.isSent)
      }
      let stored = HTTPCookieStorage.shared.cookies?.contains { $0.name == new } ?? false
      #expect(stored == what.isStored)
    }

    @Test(
      "other schemes than https and http are errors before a connection is made",
      arguments: ["ftp", "ws", "wss", "file", "data", "gopher", "FTP"])
    func schemes(scheme: String) async throws {
      let server = try LoopbackServer()
      let session = URLSession(configuration: .pinned(try Material.manager()))
      let text =
        switch scheme {
        case "file": "file:///etc/hostname"
        case "data": "data:text/plain,hello"
        default: "\(scheme)://localhost:\(server.port)/hello"
        }
      let target = try #require(URL(string: text))
      let found = await error(session, URLRequest(url: target))
      #expect(found?.code == .unsupportedURL)
      if scheme.hasPrefix("ws") {
        let task = session.webSocketTask(with: target)
        task.resume()
        let isRefused = Mutex<Bool?>(nil)
        task.receive { result in
          isRefused.withLock { $0 = if case .failure = result { true } else { false } }
        }
        for _ in 0..<400 where isRefused.withLock({ $0 }) == nil {
          try await Task.sleep(for: .milliseconds(50))
        }
        #expect(isRefused.withLock { $0 } == true)
      }
      // That of the log.
      #expect(try await server.log().connections == 1)
    }

    @Test("a password in a URL is in no text of the error")
    func password() async throws {
      let session = URLSession(configuration: .pinned(try Material.manager()))
      for text in ["https://me:secret@localhost/", "ftp://me:secret@localhost/"] {
        let target = try #require(URL(string: text))
        let found = try #require(await error(session, URLRequest(url: target)))
        var dumped = ""
        dump(found, to: &dumped)
        let shown = "\(found)\(found.userInfo)\(found.localizedDescription)\(dumped)"
        #expect(!shown.contains("secret"))
      }
    }

    @Test("AFNetworking's and Alamofire's policies decide, and a refusal is a canceled request")
    func policies() async throws {
      let server = try LoopbackServer()
      let target = try url(server, "/hello")
      let validator = PathValidator(
        anchors: AnchorSet([try Material.certificate("root")]), rules: .apple)
      func session(_ name: String) throws -> [URLSession] {
        let certificate = try Material.certificate(name)
        let policy = AFSecurityPolicy(
          pinningMode: .publicKey, withPinnedCertificates: [certificate])
        let evaluator = PublicKeysTrustEvaluator(keys: [certificate.publicKey])
        let manager = ServerTrustManager(evaluators: ["localhost": evaluator])
        return [
          URLSession(configuration: .pinned(policy, validator: validator)),
          URLSession(configuration: .pinned(manager, validator: validator)),
        ]
      }
      for session in try session("good") {
        #expect(try await session.data(from: target).0 == Data("hello".utf8))
      }
      for session in try session("other") {
        let refusal = await error(session, URLRequest(url: target))
        #expect(refusal?.code == .cancelled)
        #expect(refusal?.userInfo[NSUnderlyingErrorKey] is TrustError)
      }
      #expect(try await server.log().requests.count == 2)
    }

    @Test("a redirect is followed inside, and its target is judged, too")
    func redirect() async throws {
      let (server, other) = (try LoopbackServer(), try LoopbackServer("other"))
      let session = URLSession(configuration: .pinned(try Material.manager(pins: "good", "client")))
      let (data, response) = try await session.data(from: try url(server, "/chain/2"))
      #expect(data == Data("end".utf8))
      #expect(response.url == (try url(server, "/chain/0")))
      let to =
        other.url("/hello").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let request = URLRequest(url: try url(server, "/redirect?status=302&to=\(to)"))
      #expect(await error(session, request)?.code == .serverCertificateUntrusted)
      #expect(try await other.log().requests.isEmpty)
    }

    @Test("the body of an upload task is sent, from bytes and from a file")
    func uploads() async throws {
      let server = try LoopbackServer()
      let session = URLSession(configuration: .pinned(try Material.manager()))
      var request = URLRequest(url: try url(server, "/echo"))
      request.httpMethod = "PUT"
      let file = URL(fileURLWithPath: try Material.path("root.pem"))
      _ = try await session.upload(for: request, from: Data("hello".utf8))
      _ = try await session.upload(for: request, fromFile: file)
      _ = try await session.upload(for: request, from: Data())
      let sizes = try await server.log().requests.map(\.body?.size)
      #expect(sizes == [5, try Data(contentsOf: file).count, 0])
    }

    @Test("downloads and hidden bodies are errors before anything is sent")
    func refused() async throws {
      let server = try LoopbackServer()
      let session = URLSession(configuration: .pinned(try Material.manager()))
      let target = try url(server, "/hello")
      let download = try await withCheckedThrowingContinuation { continuation in
        session.downloadTask(with: target) { _, _, error in
          continuation.resume(returning: error as? URLError)
        }.resume()
      }
      #expect(download?.code == .unsupportedURL)
      var request = URLRequest(url: target)
      request.httpMethod = "POST"
      #expect(download?.localizedDescription.contains("HTTPClient.download(for:to:)") == true)
      let collector = Collector()
      let streams = URLSession(
        configuration: session.configuration, delegate: collector, delegateQueue: nil)
      streams.uploadTask(withStreamedRequest: request).resume()
      let upload = await #expect(throws: URLError.self) { _ = try await collector.result() }
      #expect(upload?.localizedDescription.contains("httpBodyStream") == true)
      #expect(try await server.log().requests.isEmpty)
    }

    @Test("a task that is cancelled ends the transfer")
    func cancellation() async throws {
      let server = try LoopbackServer()
      let session = URLSession(configuration: .pinned(try Material.manager()))
      let target = try url(server, "/endless")
      let task = Task { _ = try await session.data(from: target) }
      try await Task.sleep(for: .milliseconds(300))
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(try await server.eventually { $0.open == 1 })
    }
  }
#endif
