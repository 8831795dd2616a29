#if Curl
  internal import HoldfastDER
  public import HoldfastOpenSSL

  /// A proxy through which requests are made. The origin is verified through it all the same.
  public struct HTTPProxy: Sendable {
    /// The URL, such as `http://proxy.example:3128`, without name and password; the scheme is `http`,
    /// `https`, `socks5` or `socks5h`. The proxy resolves names, with `socks5` as well.
    public var url: String
    /// The name and password for the proxy. RFC 7617.
    public var credentials: (user: String, password: String)?
    /// Decides about an `https` proxy. Without it none is trusted.
    public var verifier: TLSVerifier?

    /// Creates a proxy.
    ///
    /// - Parameters:
    ///   - url: A URL such as `http://proxy.example:3128`; the scheme is `http`, `https`, `socks5`
    ///     or `socks5h`.
    ///   - verifier: Decides about an `https` proxy; nil trusts none.
    public init(
      _ url: String, credentials: (user: String, password: String)? = nil,
      verifier: TLSVerifier? = nil
    ) {
      self.url = url
      self.credentials = credentials
      self.verifier = verifier
    }
  }

  extension HTTPProxy {
    /// Reads a URL as the variable `HTTPS_PROXY` has it: with a name and a password before an `@`, if
    /// the proxy asks for them, and of the scheme `http` if it says none.
    ///
    /// Variables are read only by a program that asks for it. The proxy is for all hosts: `NO_PROXY` has
    /// no effect.
    ///
    /// - Parameter verifier: Decides about an `https` proxy; nil trusts none.
    public init(parsing text: String, verifier: TLSVerifier? = nil) throws(HTTPError) {
      let problem = HTTPError.invalidProxy(Printable.redacted(text))
      let bytes = Array(text.utf8)
      guard bytes.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw problem }
      var (scheme, rest) = ("http", text[...])
      if let end = TextSearch.end(of: "://", in: text) {
        (scheme, rest) = (text[..<end].dropLast(3).lowercased(), text[end...])
      }
      let authority = rest.prefix { !"/?#".contains($0) }
      guard rest[authority.endIndex...].allSatisfy({ $0 == "/" }) else { throw problem }
      let mark = authority.lastIndex(of: "@")
      let server = mark.map { authority[$0...].dropFirst() } ?? authority
      var credentials: (user: String, password: String)?
      if let mark {
        let parts = authority[..<mark].split(
          separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = HTTPProxy.decoded(parts[0]),
          let password = HTTPProxy.decoded(parts.count == 2 ? parts[1] : "")
        else { throw problem }
        credentials = (user, password)
      }
      // The same parser as of all other hosts, which knows no `socks5`.
      do throws(HTTPError) {
        _ = try RequestURL("http://\(server)")
      } catch {
        throw problem
      }
      self.init("\(scheme)://\(server)", credentials: credentials, verifier: verifier)
      guard isUsable else { throw problem }
    }

    /// Returns what is percent-encoded; nil if it is not UTF-8. RFC 3986 §2.1.
    private static func decoded(_ text: Substring) -> String? {
      var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
      while let byte = rest.popFirst() {
        guard byte == 0x25 else {
          bytes.append(byte)
          continue
        }
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
          let value = UInt8(digits, radix: 16), value > 0
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      }
      return String(validating: bytes, as: UTF8.self)
    }

    /// Whether the scheme is known, and there is neither name nor password: libcurl would take them,
    /// and say them in its messages.
    var isUsable: Bool {
      ["http://", "https://", "socks5://", "socks5h://"].contains {
        url.utf8.starts(with: $0.utf8)
      } && !url.utf8.contains(0x40)
    }

    /// The URL for libcurl, which resolves names itself if the scheme is `socks5`.
    var address: String {
      url.utf8.starts(with: "socks5:".utf8) ? "socks5h\(url.dropFirst(6))" : url
    }

    /// Whether a connection to the proxy is encrypted.
    package var isEncrypted: Bool { url.utf8.starts(with: "https://".utf8) }
  }

  extension HTTPProxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL. The password is not shown.
    public var description: String { Printable.redacted(url) }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no password.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
