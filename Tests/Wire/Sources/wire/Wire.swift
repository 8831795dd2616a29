import COpenSSL
import Foundation
import HoldfastCompatibility
import HoldfastOpenSSL

/// Sessions, many connections, speed, and both sides of mutual TLS. Started by Scripts/wire.
@main
struct Wire {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else {
      print(
        """
        usage: wire sessions|storm|soak|endure|speed|get|challenge|serve|staple|flood|wait MATERIAL …
        """)
      exit(2)
    }
    let material = try Material(words[1])
    let isRight: Bool
    switch words[0] {
    case "sessions":
      var all = [try rejectsBadHost(material)]
      for version in [TLS1_2_VERSION, TLS1_3_VERSION] {
        var sessions = Sessions(material, version: version)
        try sessions.runClient()
        try sessions.runServer()
        try sessions.runRoles()
        try sessions.runContexts()
        all.append(sessions.table.isRight)
      }
      isRight = !all.contains(false)
    case "storm":  // COUNT THREADS PORT=RULE…
      let servers = try words[4...].map { word in
        let parts = word.split(separator: "=")
        return (port: try port(String(parts[0])), rule: String(parts[1]))
      }
      isRight = try Load.storm(
        material, count: try number(words[2]), threads: try number(words[3]), servers: servers)
    case "soak":  // PORT COUNT
      isRight = try Load.soak(material, port: try port(words[2]), count: try number(words[3]))
    case "endure":  // COUNT
      isRight = try Load.endure(material, count: try number(words[2]))
    case "speed":  // PORT SERVER ROUNDS PER-ROUND
      isRight = try Speed.run(
        material, port: try port(words[2]), server: words[3], rounds: try number(words[4]),
        perRound: try number(words[5]))
    case "get":  // PORT PATH [IDENTITY]
      isRight = try get(material, words)
    case "challenge":  // PORT PATH [IDENTITY]
      let pinned = PublicKeysTrustEvaluator(keys: [try material.certificate("good").publicKey])
      let client = ChallengedClient(
        ServerTrustManager(evaluators: ["wire.example": pinned]),
        credential: words.count > 4 ? .identity(try material.identity(words[4])) : nil,
        host: "wire.example")
      print(try client.get(words[3], from: try port(words[2]), anchors: material.root))
      isRight = true
    case "serve":  // PORT
      let context = wire_context(1, 0)
      let validator = PathValidator(anchors: material.clientsRoot, rules: .rfc5280)
      try TLSVerifier(validator).installOnServer(context)
      serve(material, context, port: words[2], welcome)
      isRight = false
    case "staple":  // PORT OCSP-PORT CHAIN KEY ROOT FILE
      try await Staples.serve(material, Array(words[2...]))
      isRight = false
    case "flood":  // PORT tickets|updates
      let sendsTickets: Int32 = words[3] == "tickets" ? 1 : 0
      serve(material, wire_context(1, TLS1_3_VERSION), port: words[2]) { ssl, _ in
        wire_flood(ssl, sendsTickets)
      }
      isRight = false
    case "wait":  // PORT
      print(try wait(material, port: try port(words[2])))
      isRight = true
    default: isRight = false
    }
    exit(isRight ? 0 : 1)
  }

  private static func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw CocoaError(.formatting) }
    return number
  }

  private static func port(_ word: String) throws -> UInt16 { UInt16(try number(word)) }

  /// A name that is not a host is an error before its address is looked up.
  private static func rejectsBadHost(_ material: Material) throws -> Bool {
    var table = Table()
    let manager = try material.manager(["good"])
    var got = "a connection"
    do throws(TLSError) {
      _ = try TLSClient(TLSVerifier(manager)).open(to: "wire example")
    } catch {
      got = if case .invalidHost = error { "invalidHost" } else { "\(error)" }
    }
    table.row("a host name with a space", expected: "invalidHost", got: got)
    return table.isRight
  }

  /// A request over a pinned connection, with a client certificate if there is one.
  private static func get(_ material: Material, _ words: [String]) throws -> Bool {
    var options = TLSClient.Options()
    if words.count > 4 { options.identity = try material.identity(words[4]) }
    let client = try TLSClient(TLSVerifier(try material.manager(["good"])), options: options)
    let port = try port(words[2])
    do throws(TLSError) {
      let connection = try client.connect(to: "wire.example", port: port, address: "127.0.0.1")
      let request = "GET \(words[3]) HTTP/1.1\r\nHost: wire.example\r\nConnection: close\r\n\r\n"
      try connection.write(Array(request.utf8))
      var answer: [UInt8] = []
      while true {
        let bytes = try connection.read()
        if bytes.isEmpty { break }
        answer += bytes
      }
      let text = String(decoding: answer, as: UTF8.self)
      let lines = text.split(separator: "\r\n").map(String.init)
      print(lines.first ?? "", lines.last ?? "")
      return true
    } catch {
      print("\(error)")
      return false
    }
  }

  /// What becomes of reading from a server that sends no application data, in at most 4 s.
  private static func wait(_ material: Material, port: UInt16) throws -> String {
    var options = TLSClient.Options()
    options.timeout = .seconds(2)
    let client = try TLSClient(TLSVerifier(try material.manager(["good"])), options: options)
    let connection = try client.connect(to: "wire.example", port: port, address: "127.0.0.1")
    let start = ContinuousClock.now
    var outcome = "data"
    do throws(TLSError) {
      _ = try connection.read()
    } catch {
      outcome = "\(error)"
    }
    return ContinuousClock.now - start < .seconds(4) ? outcome : outcome + ", late"
  }

  /// Prints what became of a client, and answers if it is welcome.
  private static func welcome(_ ssl: OpaquePointer, _ isDone: Bool) {
    switch TLSVerifier.outcome(of: ssl) {
    case .accepted(let verdict)?:
      let name = verdict.certificates.first?.subject.commonName ?? ""
      print(isDone ? "welcome \(name)" : "failed after \(name)")
      if isDone { wire_answer(ssl, "HTTP/1.0 200 OK\r\n\r\nwelcome \(name)\n") }
    case .rejected(let rejection)?:
      print("rejected \(rejection.rule?.name ?? "") \(rejection.alert)")
    case nil: print(isDone ? "welcome without a certificate" : "no certificate")
    }
  }

  /// A server for clients, one after the other.
  private static func serve(
    _ material: Material, _ context: OpaquePointer, port: String,
    _ answer: (OpaquePointer, Bool) -> Void
  ) {
    precondition(wire_use(context, material.path("good.pem"), material.path("good.key")) == 1)
    let listener = wire_listener("127.0.0.1:\(port)")
    precondition(wire_listen(listener) == 1)
    print("ready")
    fflush(nil)
    while wire_accept(listener) == 1 {
      let ssl = wire_new(context)
      wire_take(listener, ssl)
      answer(ssl, SSL_accept(ssl) == 1)
      SSL_free(ssl)
      fflush(nil)
    }
  }
}
