// Trust that changes while a service runs: the anchors are in a file that is replaced meanwhile.
//
//   Reload HOST ROOTS OTHER-ROOTS < chain.pem
//
// A service gives `trust.trust` to HTTPClient, TLSVerifier or NIOVerifier, and looks on an interval.

import HoldfastConfigurations

@main struct Reload {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4 else {
      print("usage: Reload HOST ROOTS OTHER-ROOTS < chain.pem")
      throw Usage()
    }
    let chain = try Certificate.certificates(inFile: "-")
    // In a program of one's own the files stay the same, and what is in them changes.
    var files = TrustFiles()
    files.anchors = [words[2]]
    files.rules = .rfc5280
    let trust = try FilesTrust(files, every: .seconds(10))
    for ending in trust.status.endings { print("ends: \(ending)") }

    let verdict = try trust.trust.value.evaluate(chain, host: words[1])
    print("generation \(trust.trust.generation): \(verdict)")

    trust.trust.update(TrustManager(anchors: try AnchorSet(file: words[3]), rules: .rfc5280))
    do {
      let verdict = try trust.trust.value.evaluate(chain, host: words[1])
      print("generation \(trust.trust.generation): \(verdict)")
    } catch {
      print("generation \(trust.trust.generation): rejected: \(error.summary)")
    }
  }

  struct Usage: Error {}
}
