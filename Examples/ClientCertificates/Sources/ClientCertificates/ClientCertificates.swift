import Foundation
import Holdfast

/// A server that checks the certificates of its clients. The clients' chains come on standard
/// input, in PEM, each followed by a line `.`; the argument is the file of the CA whose clients are
/// accepted.
///
///     ClientCertificates authority.pem <clients.pem
@main
struct ClientCertificates {
  static func main() {
    guard CommandLine.arguments.count == 2 else {
      print("usage: ClientCertificates AUTHORITY")
      exit(2)
    }
    do {
      let authority = try Certificate.certificates(inFile: CommandLine.arguments[1])
      // A private CA needs RFC 5280 but none of the web's additional rules. Made once, used for
      // all.
      let validator = PathValidator(anchors: AnchorSet(authority), rules: .rfc5280)
      var rejected = 0
      let input = FileHandle.standardInput.readDataToEndOfFile()
      for chain in String(decoding: input, as: UTF8.self).split(separator: "\n.\n")
      where !answer(String(chain), validator) {
        rejected += 1
      }
      exit(rejected == 0 ? 0 : 1)
    } catch {
      print("not understood: \(error)")
      exit(2)
    }
  }

  /// Prints who a client is, or why it is rejected.
  private static func answer(_ pem: String, _ validator: PathValidator) -> Bool {
    do {
      let chain = try Certificate.certificates(inPEM: pem)
      let path = try validator.validate(chain, for: .client)
      print("welcome: \(name(of: path.leaf)), through \(path.anchor.name)")
      return true
    } catch let error as PathError {
      print("rejected: \(error)")
    } catch {
      print("unreadable: \(error)")
    }
    return false
  }

  /// Returns the mailbox of a client if it has one, otherwise its subject.
  private static func name(of leaf: Certificate) -> String {
    for case .email(let mailbox) in leaf.extensions.subjectAlternativeNames {
      return "\(mailbox)"
    }
    return leaf.subject.description
  }
}
