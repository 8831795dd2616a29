import Foundation
import Holdfast

/// Decides, as a client with pins would, whether to continue with a connection. It reads the chain
/// in PEM from standard input, for example from
///
///     openssl s_client -connect example.com:443 -showcerts </dev/null
///
/// The arguments are the host, a file of anchors or `--system` for those of the system, and the
/// pins:
///
///     PinningClient example.com anchors.pem sha256/… sha256/…
@main
struct PinningClient {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 4 else {
      print("usage: PinningClient HOST ANCHORS|--system PIN BACKUP-PIN…")
      exit(2)
    }
    do {
      // At least two pins: the key in use, and a backup in case it is lost.
      let pins = try PinSet(arguments.dropFirst(2).map { try Pin($0) })
      let table = try PinTable([arguments[0]: pins])
      let manager = TrustManager(pins: table, anchors: try anchors(arguments[1]))

      let verdict = try manager.evaluate(
        Certificate.certificates(inFile: "-"), host: arguments[0])
      print(verdict)
    } catch let rejection as TrustError {
      print("rejected: \(rejection)")
      exit(1)
    } catch {
      print("not understood: \(error)")
      exit(2)
    }
  }

  private static func anchors(_ argument: String) throws -> AnchorSet {
    if argument == "--system" { return try .system() }
    return AnchorSet(try Certificate.certificates(inFile: argument))
  }
}
