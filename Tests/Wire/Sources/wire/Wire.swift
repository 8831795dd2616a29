import COpenSSL
import Foundation
import Holdfast
import HoldfastOpenSSL

/// Many connections, speed, and both sides of mutual TLS. Started by Scripts/wire/wire.
@main
struct Wire {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else {
      print("usage: wire storm|speed|get|serve|staple MATERIAL …")
      exit(2)
    }
    let material = try Material(words[1])
    let isRight: Bool
    switch words[0] {
    case "storm":  // COUNT THREADS PORT=RULE…
      let servers = try words[4...].map { word in
        let parts = word.split(separator: "=")
        return (port: try port(String(parts[0])), rule: String(parts[1]))
      }
      isRight = try Load.storm(
        material, count: try number(words[2]), threads: try number(words[3]), servers: servers)
    case "speed":  // PORT SERVER ROUNDS PER-ROUND
      isRight = try Speed.run(
        material, port: try port(words[2]), server: words[3], rounds: try number(words[4]),
        perRound: try number(words[5]))
    case "get":  // PORT PATH [IDENTITY]
      isRight = try get(material, words)
    case "serve":  // PORT
      let context = wire_context(1, 0)
      let validator = PathValidator(anchors: material.clientsRoot, rules: .rfc5280)
      try TLSVerifier(validator).installOnServer(context)
      serve(material, context, port: words[2], welcome)
      isRight = false
    case "staple":  // PORT OCSP-PORT CHAIN KEY ROOT FILE
      try await Staples.serve(material, Array(words[2...]))
      isRight = false
    default: isRight = false
    }
    exit(isRight ? 0 : 1)
  }

  private static func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw CocoaError(.formatting) }
    return number
  }

  private static func port(_ word: String) throws -> UInt16 { UInt16(try number(word)) }

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
