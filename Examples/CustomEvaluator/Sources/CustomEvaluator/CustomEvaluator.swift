import Foundation
import Holdfast

/// A custom policy: the path must be valid and the server's certificate issued within a number of
/// days, so that no key stays in use for years.
struct FreshCertificate: TrustEvaluating {
  let days: Int64

  struct TooOld: Error, CustomStringConvertible {
    let issued: Timestamp
    let days: Int64

    var description: String {
      "the certificate was issued on \(issued), more than \(days) days ago"
    }
  }

  func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
    let path = try trust.validator.validate(trust.question(for: .server(host)))
    let issued = path.leaf.notBefore
    let age = trust.time.secondsSince1970 - issued.secondsSince1970
    guard age <= days * 86_400 else { throw TooOld(issued: issued, days: days) }
    return Verdict(
      .custom("issued \(age / 86_400) days ago"), host: host, path: path, at: trust.time)
  }
}

/// `CustomEvaluator HOST ANCHORS DAYS <chain.pem`
@main
struct CustomEvaluator {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3, let days = Int64(arguments[2]), days > 0 else {
      print("usage: CustomEvaluator HOST ANCHORS DAYS")
      exit(2)
    }
    do {
      let anchors = AnchorSet(try Certificate.certificates(inFile: arguments[1]))
      let trust = ServerTrust(
        chain: try Certificate.certificates(inFile: "-"), anchors: anchors)
      let verdict = try FreshCertificate(days: days).verdict(on: trust, for: arguments[0])
      print("trusted: \(verdict.reason)")
    } catch let error as TrustError {
      print("rejected: \(error)")
      exit(1)
    } catch {
      print("not understood: \(error)")
      exit(2)
    }
  }
}
