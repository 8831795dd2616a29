import Foundation
import HoldfastConformance
import HoldfastTool
import TestSupport
import Testing

@Suite("holdfast inspect") struct InspectTests {
  /// Names, times and identifiers are those of `openssl x509 -text`; the pin and the fingerprint
  /// come from `openssl dgst` and `openssl x509 -fingerprint`.
  @Test("a certificate is shown as text")
  func root() {
    let path = CLIRun.demo("root.pem")
    let cli = CLIRun("inspect", "--at", "2026-01-01", path)
    #expect(cli.status == .trusted)
    #expect(
      cli.results == """
        \(path), block 1, line 1: certificate
          subject           CN=Demo Root X1,O=Demo Trust,C=SE
          issuer            CN=Demo Root X1,O=Demo Trust,C=SE
          serial number     5eed0001
          valid             from 2020-01-01T00:00:00Z
                            to   2045-01-01T00:00:00Z, 6940 days left
          key               EC P-384
          signed with       ECDSA with SHA-384
          key usage         keyCertSign, cRLSign (critical)
          CA                yes (critical)
          key ID            8a719bc52e97682083652d425c00a8ace7a9b252
          pin               sha256/3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ=
          SHA-256           d5:57:9a:b1:f0:b9:db:39:3d:fa:20:6f:6a:90:ea:7e:d5:2c:7b:a1:50:cc:f0:6d:95:df:5d:9a:1d:e4:86:1c

        """)
    #expect(cli.messages.isEmpty)
  }

  /// What is asked for is in `Vectors/requests/text.txt`, by `openssl req -text`.
  @Test("the attributes of requests are shown as text and as JSON")
  func requests() throws {
    let path = CLIRun.demo("../requests/requests.pem")
    let text = CLIRun("inspect", path).results
    for line in [
      "  password          open sesame, über\n", "  other names       Demo Bäckerei\n",
      "  attribute         2.25.5: 0c03727965\n", "  names             DNS:www.demo.example\n",
      "  key usage         digitalSignature (critical)\n",
      "  other names       ovens@demo.example\n",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(CLIRun("inspect", "--json", path).bytes))
        as? [String: Any])
    let items = try #require(document["items"] as? [[String: Any]])
    let attributes = items.map { $0["attributes"] as? [[String: Any]] }
    #expect(attributes.map { $0?.count } == [0, 4, 2])
    #expect(attributes[1]?[2]["challengePassword"] as? String == "open sesame, über")
    #expect(attributes[1]?[1]["unstructuredName"] as? [String] == ["Demo Bäckerei"])
    #expect(attributes[1]?[0]["values"] as? String == "0c03727965")
    #expect(items[0]["extensions"] is NSNull)
    let extensions = try #require(items[1]["extensions"] as? [String: Any])
    #expect(extensions["keyUsage"] as? [String] == ["digitalSignature"])
  }

  @Test(
    "the reported validity depends on the time",
    arguments: [
      ("2024-12-31", "not valid yet, begins in 1 day"),
      ("2024-12-31T21:30:00Z", "not valid yet, begins in 2 hours"),
      ("2025-01-01T00:00:00Z", "3652 days left"),
      ("2034-12-30T12:00:00Z", "1 day left"),
      ("2035-01-01T00:00:00Z", "0 seconds left"),
      ("2035-01-01T00:00:01Z", "expired 1 second ago"),
      ("2036-01-01T01:00:00+01:00", "expired 365 days ago"),
    ])
  func validity(time: String, text: String) {
    let cli = CLIRun("inspect", "--at=\(time)", CLIRun.demo("proxy-chain.pem"))
    #expect(cli.results.contains("to   2035-01-01T00:00:00Z, \(text)\n"))
  }

  @Test("the JSON document has the same facts")
  func json() throws {
    let path = CLIRun.demo("chain.pem")
    let cli = CLIRun("inspect", "--json", "--at", "2035-01-01T00:00:10Z", path)
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
    #expect(document["version"] as? Int == 1)
    #expect(document["time"] as? String == "2035-01-01T00:00:10Z")
    #expect((document["problems"] as? [Any])?.isEmpty == true)
    let items = try #require(document["items"] as? [[String: Any]])
    #expect(items.count == 2)
    let leaf = try #require(items.first)
    #expect(leaf["kind"] as? String == "certificate")
    #expect(leaf["block"] as? Int == 1)
    #expect(leaf["subject"] as? String == "CN=www.demo.example,O=Demo Bakery,C=SE")
    #expect(leaf["validity"] as? String == "expired")
    #expect(leaf["secondsLeft"] as? Int == -10)
    let key = try #require(leaf["publicKey"] as? [String: Any])
    #expect(key["pin"] as? String == "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo=")
    let extensions = try #require(leaf["extensions"] as? [String: Any])
    let names = try #require(extensions["subjectAltName"] as? [[String: String]])
    #expect(names.map { $0["value"] } == ["www.demo.example", "demo.example"])
    #expect(extensions["keyUsage"] as? [String] == ["digitalSignature"])
    #expect(extensions["extKeyUsage"] as? [String] == ["1.3.6.1.5.5.7.3.1"])
    #expect(extensions["certificatePolicies"] as? [String] == ["2.23.140.1.2.1"])
    #expect(cli.bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0A })
  }

  /// RFC 9608 §2.
  @Test("a certificate without revocation information is shown as such, in text and JSON")
  func noRevocationAvailable() throws {
    let root = CommittedVectors.root
    for (name, isSaid) in [("no-revocation-available", true), ("no-revocation-absent", false)] {
      let path = "\(root)/Vectors/chains/\(name).case"
      #expect(CLIRun("inspect", path).results.contains("(noRevAvail)") == isSaid)
      let document = try #require(
        JSONSerialization.jsonObject(with: Data(CLIRun("inspect", "--json", path).bytes))
          as? [String: Any])
      let leaf = try #require((document["items"] as? [[String: Any]])?.first)
      let extensions = try #require(leaf["extensions"] as? [String: Any])
      #expect(extensions["noRevAvail"] as? Bool == (isSaid ? true : nil))
    }
  }

  @Test("the JSON document also has the position of a problem")
  func problems() throws {
    let scratch = try ScratchFolder()
    let bad = Array("-----BEGIN CERTIFICATE-----\nMAUwAwIBAg==\n-----END CERTIFICATE-----\n".utf8)
    let path = try scratch.file("bad.pem", bad + CLIRun.demoBytes("root.pem"))
    let cli = CLIRun("inspect", "--json", path)
    #expect(cli.status == .unreadable)
    #expect(cli.messages.isEmpty)
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
    #expect((document["items"] as? [Any])?.count == 1)
    let problem = try #require((document["problems"] as? [[String: Any]])?.first)
    #expect(problem["file"] as? String == path)
    #expect(problem["block"] as? Int == 1)
    #expect(problem["line"] as? Int == 1)
    // SEQUENCE { SEQUENCE { INTEGER 2 } }: what follows the inner one is missing.
    #expect(problem["field"] as? String == "signatureAlgorithm")
    #expect(problem["offset"] as? Int == 7)
    #expect(problem["rule"] as? String == "X.690 §8.1.2")
  }
}
