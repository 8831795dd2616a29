#if Curl
  internal import CHoldfastCurl
  internal import Holdfast
  internal import HoldfastCertificates
  internal import HoldfastDER
  internal import HoldfastOpenSSL

  /// One request and its redirects. Only the loop's thread uses it.
  final class Transfer {
    /// What becomes of the response that arrives.
    enum Course {
      /// It goes to the task.
      case deliver
      /// It is a redirect to this location; its body is dropped.
      case redirect(status: Int, location: String)
      /// The transfer ends with this error.
      case fail(HTTPError)
      /// The connection had no verdict that is valid now, so another one is needed.
      case reconnect
    }

    let job: TransferLoop.Job
    let limits: HTTPOptions.Limits
    let loop: TransferLoop
    let pauses: Pauses
    private(set) var hop: Hop
    /// The handle on which the present hop runs.
    private(set) var handle: TransferHandle?

    private(set) var handshakes = HTTPDecision.Handshakes()
    var body: BodySource?
    var course = Course.deliver
    var verdict: Verdict?
    /// What was agreed on with the server; nil before the request begins.
    var tls: TLSFacts?
    /// How the connection ends; nil if it is not encrypted.
    var connectionEnd: TLSEnd?
    /// The fields of the header that arrives, and the size of all headers.
    var head = HTTPFields()
    var headerBytes = 0
    /// The header fields of the response.
    var fields = HTTPFields()
    /// What undoes the coding of the response's body; nil if it has none.
    var gzip: GzipReader?
    /// What was decoded and waits for the task, and how much of the piece at hand it was made of.
    var decoded: [UInt8] = []
    var decodedCount = 0
    /// The bytes of a redirect's body that were dropped.
    var dropped = 0
    var hasResponse = false
    /// Whether a request of this hop has begun on a connection, so that the server may have it.
    var wasSent = false
    var progress = HTTPProgress()
    /// The number of pieces that the task had taken when the transfer began to wait for it.
    private var takenBefore = 0
    private var redirects = 0
    /// The address that was refused here, and the addresses that were connected to.
    private var refusedAddress: HTTPError?
    private var addresses: [String] = []
    /// The sockets that were opened for this hop, and the one that it uses.
    private var opened: [OpenSocket] = []
    private var socket: OpenSocket?
    /// How often a connection without a verdict was met in this hop.
    private var reconnections = 0
    private static let maximumReconnections = 3

    /// The longest body of a redirect that is read so that the connection can be used again.
    static let maximumDropped = 64 * 1024

    init(_ job: TransferLoop.Job, on loop: TransferLoop, _ pauses: Pauses) {
      self.job = job
      self.loop = loop
      self.pauses = pauses
      hop = job.hop
      limits = loop.options.limits
    }

    var id: UInt64 { job.exchange.id }
    var options: HTTPOptions { loop.options }
    var decision: HTTPDecision { loop.decision }

    /// The socket of the connection that is being made: of those for other addresses none is left.
    var openSocket: OpenSocket? { opened.last { $0.isOpen } }

    func noteOpened(_ descriptor: Int32) {
      // SAFETY: this is the loop's thread, which alone uses its sockets.
      unsafe opened.append(loop.sockets.add(descriptor))
    }

    /// Notes which connection the transfer uses; nil for none.
    func use(_ socket: OpenSocket?) {
      self.socket?.uses -= 1
      socket?.uses += 1
      self.socket = socket
    }

    /// Notes that the transfer waits for the task, and returns the value that tells libcurl so.
    func pause(_ value: Int) -> Int {
      takenBefore = job.exchange.taken
      pauses.begin(id, hop.idleTimeout)
      return value
    }

    /// Whether a transfer that has waited for long goes on waiting: a slow task has taken something.
    func mayWaitLonger() -> Bool {
      let taken = job.exchange.taken
      guard taken != takenBefore else { return false }
      takenBefore = taken
      pauses.begin(id, hop.idleTimeout)
      return true
    }

    /// Lets a paused transfer go on.
    func resume() {
      pauses.end(id)
      // SAFETY: the handle is open. In the end both directions ask their callbacks again.
      if let handle { unsafe curl_easy_pause(handle.easy, CURLPAUSE_CONT) }
    }
  }

  extension Transfer {
    /// Prepares a handle for the next hop; false if the transfer has ended instead.
    func begin(on handle: TransferHandle) -> Bool {
      do throws(HTTPError) {
        course = .deliver
        handshakes = HTTPDecision.Handshakes()
        (verdict, tls, fields, headerBytes, dropped) = (nil, nil, HTTPFields(), 0, 0)
        (connectionEnd, refusedAddress, addresses, opened) = (nil, nil, [], [])
        wasSent = false
        (gzip, decoded, decodedCount) = (nil, [], 0)
        head = HTTPFields()
        if body == nil, let content = hop.body {
          let (loop, id) = (loop, id)
          body = BodySource(content) { loop.send(.resume(id)) }
        }
        progress.sent = 0
        progress.sentTotal = body == nil ? nil : body?.count
        let left = job.deadline.map { ContinuousClock.now.duration(to: $0) }
        if let left, left <= .zero { throw .timeout(host: hop.url.server, wasSent: false) }
        handle.setChoice(
          idleTimeout: hop.idleTimeout, left: left, isRepeated: reconnections > 0)
        try handle.set(hop, body, presentsIdentity: decision.identity(for: hop) != nil)
        handle.transfer = self
        self.handle = handle
        return true
      } catch {
        end(.failure(error))
        return false
      }
    }

    /// Whether a socket may be opened to an address.
    func mayConnect(to address: [UInt8]) -> Bool {
      let text = IPAddress(address).map { "\($0)" } ?? "no IP address"
      let objection = options.addresses.objection(
        to: address, of: hop.url.host, hasProxy: options.proxy != nil)
      guard let reason = objection else {
        addresses.append(text)
        return true
      }
      // With a proxy, sockets are opened to it alone.
      let host = options.proxy?.url ?? hop.url.host
      refusedAddress = .addressNotAllowed(host: host, address: text, reason: reason)
      return false
    }

    /// Gives the handle back.
    func releaseHandle() -> TransferHandle? {
      pauses.end(id)
      use(nil)
      defer { handle = nil }
      handle?.transfer = nil
      return handle
    }
  }

  /// The end of a hop.
  extension Transfer {
    /// Takes the result of a hop; returns whether another one follows.
    func finish(_ result: CURLcode) -> Bool {
      switch course {
      case .fail(let error): end(.failure(error))
      case .redirect(let status, let location):
        do throws(HTTPError) {
          redirects += 1
          guard redirects <= options.maximumRedirects else {
            throw .tooManyRedirects(options.maximumRedirects, host: hop.url.server)
          }
          try hop.follow(response(status), to: location, options)
          body = nil
          reconnections = 0
          return true
        } catch {
          end(.failure(error))
        }
      case .reconnect
      where reconnections < Transfer.maximumReconnections && body?.rewind() != false:
        // Another request may be the first on the new connection.
        reconnections += 1
        return true
      case .deliver, .reconnect:
        if result == CURLE_OK {
          let host = hop.url.server
          if !hasResponse {
            end(.failure(.invalidResponse(host: host, reason: "it has no head")))
          } else if mayBeCut {
            let reason = "it ended without close_notify, so the body may be cut off"
            end(.failure(.connectionLost(host: host, reason: reason, wasSent: true)))
          } else if gzip?.isComplete == false {
            end(.failure(.invalidResponse(host: host, reason: "its gzip stream is cut off")))
          } else {
            end(.success(()))
          }
        } else {
          let error = error(result)
          end(.failure(lacksClientCertificate ? error.lackingClientCertificate : error))
        }
      }
      return false
    }

    /// Whether the body ends with the connection, which has ended without close_notify: an attacker
    /// can cut TCP, and libcurl takes that for the end. RFC 9112 §9.8.
    private var mayBeCut: Bool {
      connectionEnd?.isAnnounced == false && hop.method != "HEAD" && version != .http2
        && !fields.framesBody && ![204, 304].contains(handle?.number(CURLINFO_RESPONSE_CODE))
    }

    /// Whether the server has asked for a client certificate, and the options have none for it.
    private var lacksClientCertificate: Bool {
      (handshakes.requestsClientCertificate || tls?.requestsClientCertificate == true)
        && !hasResponse && decision.identity(for: hop) == nil
    }

    /// Ends the transfer.
    func end(_ result: Result<Void, HTTPError>) {
      job.exchange.finish(result)
    }

    /// How errors name the proxy: its URL, which has neither name nor password.
    private var proxy: String { options.proxy?.url ?? "" }

    /// Returns what a result of libcurl means.
    private func error(_ result: CURLcode) -> HTTPError {
      let host = hop.url.server
      if connectionEnd?.isForced == true {
        return .connectionLost(
          host: host, reason: HTTPDecision.Handshakes.isEndless, wasSent: wasSent)
      }
      if !hasResponse, let rejection = handshakes.error { return rejection }
      let reason = handle?.reason(result) ?? ""
      if Transfer.saysClosed(reason) {
        let peer = options.proxy == nil ? "the server" : "the proxy or the server"
        return .connectionLost(host: host, reason: "\(peer) closed it", wasSent: wasSent)
      }
      switch result {
      case CURLE_OPERATION_TIMEDOUT:
        // The limit of the whole request counts first; libcurl counts in milliseconds.
        let isLate = job.deadline.map { $0 <= .now + .milliseconds(2) } ?? false
        return pauses.isWaiting(id) && !isLate
          ? .bodyStalled(host: host) : .timeout(host: host, wasSent: wasSent)
      case CURLE_COULDNT_RESOLVE_HOST: return .noAddress(host: hop.url.host)
      case CURLE_COULDNT_RESOLVE_PROXY: return .noAddress(host: proxy)
      case CURLE_COULDNT_CONNECT:
        if addresses.isEmpty, let refusedAddress { return refusedAddress }
        return .unreachable(host: options.proxy?.url ?? host, reason: refusal(reason))
      case CURLE_SEND_FAIL_REWIND: return .bodyNotRepeatable(host: host)
      case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
        CURLE_PROXY:
        let status = handle?.number(CURLINFO_HTTP_CONNECTCODE) ?? 0
        if !hasResponse, status != 0, !(200..<300 ~= status) {
          return .refusedByProxy(proxy, status: status, host: host)
        }
        return .connectionLost(host: host, reason: reason, wasSent: wasSent)
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED:
        return .tls(host: host, reason: reason)
      case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING,
        CURLE_UNSUPPORTED_PROTOCOL:
        return .invalidResponse(host: host, reason: reason)
      default: return .other(reason, host: host)
      }
    }

    /// Whether a message of libcurl means no more than that the server has closed the connection: as
    /// soon as it was made, when its peer cannot be asked for, or in the handshake.
    static func saysClosed(_ message: String) -> Bool {
      ["getpeername() failed", "SSL_ERROR_SYSCALL"].contains {
        TextSearch.contains($0, in: message)
      }
    }

    /// The system's message, if it is known, and the addresses that were connected to:
    /// `Connection refused (127.0.0.1)`.
    private func refusal(_ reason: String) -> String {
      let number = handle?.number(CURLINFO_OS_ERRNO) ?? 0
      let message = number == 0 ? reason : Platform.message(forError: Int32(clamping: number))
      let others = addresses.filter { $0 != hop.url.host }
      return others.isEmpty ? message : "\(message) (\(others.joined(separator: ", ")))"
    }
  }
#endif
