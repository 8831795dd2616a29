#if Curl && canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import HoldfastURLSession

  /// What users of URLSession type.
  enum URLSessionGuesses {
    static func sessions(_ manager: TrustManager) throws -> URLSession {
      // 38. A session with pins
      _ = URLSession(configuration: .pinned(manager))
      // 39. With a client certificate
      var options = HTTPOptions()
      options.identity = try Identity(file: "client.p12", password: "secret")
      options.timeout = .seconds(30)
      return URLSession(configuration: .pinned(manager, options: options))
    }

    static func requests(_ session: URLSession, _ url: URL, _ file: URL) async throws {
      // 40. data(from:)
      let (data, _) = try await session.data(from: url)
      // 41. data(for:)
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      request.httpBody = data
      _ = try await session.data(for: request)
      // 42. upload(for:from:)
      _ = try await session.upload(for: URLRequest(url: url), from: data)
      // 43. upload(for:fromFile:)
      _ = try await session.upload(for: URLRequest(url: url), fromFile: file)
    }

    static func errors(_ session: URLSession, _ url: URL) async {
      do {
        _ = try await session.data(from: url)
      } catch let error as URLError where error.code == .serverCertificateUntrusted {
        // 44. The code of a server that is not trusted, and a text for users
        print(error.localizedDescription)
      } catch {
        // 45. Any other
        print(error.localizedDescription)
      }
    }

    /// The same names on the client that is below the session.
    static func transfers(_ client: HTTPClient) async throws {
      // 46. download(for:to:)
      let request = HTTPRequest("https://example.com/large.iso")
      _ = try await client.download(for: request, to: "large.iso")
      // 47. download(from:), with a progress that remembers
      var shown = 0
      _ = try await client.download(from: "https://example.com/large.iso", to: "large.iso") {
        progress in
        guard progress.received - shown > 1 << 20 else { return }
        shown = progress.received
        print(progress)
      }
      // 48. upload(for:from:)
      let post = HTTPRequest("https://example.com/", method: "POST")
      _ = try await client.upload(for: post, from: Array("hello".utf8))
      // 49. upload(for:fromFile:), with a bar
      _ = try await client.upload(for: post, fromFile: "large.iso") { progress in
        print(progress.fraction.map { "\(Int($0 * 100)) %" } ?? "…")
      }
      // 50. bytes(from:)
      let (body, _) = try await client.bytes(from: "https://example.com/")
      for try await piece in body { print(piece.count) }
      // 51. Data and JSONDecoder
      let (data, _) = try await client.data(for: post)
      _ = try JSONDecoder().decode([String].self, from: Data(data))
    }
  }
#endif
