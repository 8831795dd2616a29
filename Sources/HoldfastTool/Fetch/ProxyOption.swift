internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastDER

#if Curl
  internal import HoldfastHTTP
  internal import HoldfastOpenSSL
#endif

/// The proxy of a command line: `--proxy`, `--proxy-env`.
enum ProxyOption {
  static let url: Option<String?> = .text(
    "--proxy", "URL", "through this proxy, as http://HOST:PORT; it looks up the names of hosts")
  static let variable: Option<String?> = .text(
    "--proxy-env", "VARIABLE",
    "the same from the environment, as HTTPS_PROXY; without the option no variable counts")

  static let options: [any CommandOption] = [url, variable]

  #if Curl
    /// The proxy; nil if the command line names none.
    static func proxy(_ call: Invocation) throws(UsageError) -> HTTPProxy? {
      try call.checkOne(of: options)
      if let text = call[url] {
        // Every process can see the arguments of another one.
        guard !text.contains("@") else {
          throw .conflict(
            "\(url.name) \(shown(text)): name and password of a proxy are no arguments, which "
              + "every process can see: use \(variable.name) VARIABLE")
        }
        return try proxy(text, "\(url.name): \(shown(text))")
      }
      guard let name = call[variable] else { return nil }
      guard let text = Platform.environment(name) else {
        throw .badValue(
          option: variable.name, value: Printable.redacted(name), expected: "a variable that is set"
        )
      }
      // What it holds may be a secret of another kind.
      return try proxy(text, "\(variable.name) \(printable(name))")
    }

    /// - Parameter source: Where the text comes from, for messages.
    private static func proxy(_ text: String, _ source: String) throws(UsageError) -> HTTPProxy {
      var proxy: HTTPProxy
      do throws(HTTPError) {
        proxy = try HTTPProxy(parsing: text)
      } catch {
        throw .conflict(
          "\(source): expected http://HOST:PORT, or the same with https, socks5 or socks5h")
      }
      guard proxy.isEncrypted else { return proxy }
      // `--anchors` are for the servers that the command asks.
      do throws(SystemAnchorsError) {
        proxy.verifier = TLSVerifier(PathValidator(anchors: try .system()))
      } catch {
        throw .badInput(printable("\(error)"))
      }
      return proxy
    }

    /// A proxy in a message: without name and password.
    private static func shown(_ text: String) -> String { printable(Printable.redacted(text)) }
  #endif
}
