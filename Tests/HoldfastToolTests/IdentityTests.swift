import Foundation
import HoldfastConformance
import HoldfastTool
import TestSupport
import Testing

@Suite("Identities in inspect and convert") struct IdentityTests {
  private static let leaf = "3846910deeed9a3f2eaec8c2d1dd2f82f84e5d2dc84058f878cf6a272e780965"
  private static let root = "3abec020d5e8c10bfb16d7a07aa8a4a75d182af5654550d560dddc28629af320"
  private static let pin = "sha256/eO8vyIx4ml93HBDJfxMVGoUml/BmjOveX3cAANxp/Fw="

  static func file(_ name: String) -> String {
    CommittedVectors.path("identities/files/\(name)")
  }

  /// A run with the password that nearly all files have.
  private func run(_ scratch: ScratchFolder, _ words: String...) throws -> CLIRun {
    CLIRun(words: words + ["--password-file", try scratch.file("password", "secret\n".utf8)])
  }

  private func members(_ cli: CLIRun) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(cli.bytes))
    return try #require(value as? [String: Any])
  }

  @Test(
    "the output equals the golden files",
    arguments: [
      "openssl-default.p12", "openssl-legacy.p12", "openssl-ed25519.p12", "own-foreign-key.p12",
      "own-secret.p12", "keytool-trust.p12", "p7-list.p7c", "pem-pkcs8-ed25519.pem",
    ])
  func golden(name: String) throws {
    let scratch = try ScratchFolder()
    let cli = try run(scratch, "inspect", Self.file(name), "--at", "2027-01-01")
    let json = try run(scratch, "inspect", Self.file(name), "--at", "2027-01-01", "--json")
    let text = cli.results + json.results
    let root = CommittedVectors.root
    let path = "\(root)/Vectors/identities/golden/\(name).txt"
    let found = text.replacingOccurrences(of: Self.file(name), with: name)
    #expect(try GoldenFile.text(path, renewedAs: found) == found)
    #expect(cli.status == json.status)
    #expect(cli.status == (name == "own-foreign-key.p12" ? .rejected : .trusted))
  }

  @Test("the JSON names leaf and chain by their hashes, and pin, kind and name of the key")
  func json() throws {
    let scratch = try ScratchFolder()
    let cli = try run(scratch, "inspect", Self.file("openssl-default.p12"), "--json")
    let members = try members(cli)
    let identities = try #require(members["identities"] as? [[String: Any]])
    #expect(identities.count == 1)
    let identity = try #require(identities.first)
    #expect(identity["leaf"] as? String == Self.leaf)
    let chain = try #require(identity["chain"] as? [String])
    #expect(chain.count == 3 && chain.first == Self.leaf && chain.last == Self.root)
    #expect(identity["pin"] as? String == Self.pin)
    #expect(identity["keyKind"] as? String == "EC P-256")
    #expect(identity["name"] as? String == "client")
    #expect(identity["matches"] as? Bool == true)
    let items = try #require(members["items"] as? [[String: Any]])
    #expect(
      items.map { $0["kind"] as? String }
        == ["PKCS #12", "certificate", "certificate", "certificate", "private key"])
    #expect(items.compactMap { $0["sha256"] as? String } == chain)
    #expect(items[0]["iterations"] as? Int == 30)
    #expect(
      items[0]["encryption"] as? [String]
        == ["AES-256-CBC, PBKDF2 with HMAC-SHA-256, 10 iterations"])
  }

  /// Files, passwords, the kinds of their problems, and words of these.
  private static let damaged: [(String, String?, String?, String)] = [
    ("openssl-default.p12", "Secret", "wrongPassword", "the password is wrong"),
    ("openssl-default.p12", nil, "wrongPassword", "a password is needed: --password-file"),
    ("pem-encrypted-scrypt.pem", "no", "wrongPassword", "the password of the private key"),
    ("openssl-camellia.p12", "secret", "unsupported", "Camellia-256-CBC"),
    ("openssl-md5mac.p12", "secret", "unsupported", "authentication"),
    ("own-trailing.p12", "secret", "damaged", "data after the end of the structure at byte 1821"),
    ("own-too-many-iterations.p12", "secret", "limit", "10000001 iterations"),
    ("own-greedy-scrypt.p12", "secret", "limit", "scrypt"),
    ("p7-enveloped.p7m", "secret", nil, "there is nothing in it that can be read"),
    ("absent.p12", "secret", nil, "No such file"),
  ]

  @Test("what cannot be opened is a problem with its kind, and status 3", arguments: damaged)
  func failures(name: String, password: String?, kind: String?, words: String) throws {
    let scratch = try ScratchFolder()
    let options =
      try password.map { ["--password-file", try scratch.file("password", $0.utf8)] } ?? []
    let cli = CLIRun(words: ["inspect", Self.file(name), "--json"] + options)
    #expect(cli.status == .unreadable && cli.messages.isEmpty)
    let members = try members(cli)
    // If nothing at all could be read it is the answer of every command that fails.
    let input = members["input"] as? [String: Any]
    #expect(input == nil || members["verdict"] as? String == "unreadable")
    let problems = try #require(
      (input?["unreadable"] ?? members["problems"]) as? [[String: Any]])
    try #require(problems.count == 1, "\(cli.results)")
    #expect(problems[0]["kind"] as? String == kind)
    let text = CLIRun(words: ["inspect", Self.file(name)] + options)
    #expect(text.status == .unreadable && text.messages.contains(words), "\(text.messages)")
    #expect(text.messages.contains(problems[0]["problem"] as? String ?? "?"))
  }

  @Test("a file cut at any length ends with status 3, never with a crash")
  func cut() throws {
    let scratch = try ScratchFolder()
    for name in ["openssl-default.p12", "own-ber-indefinite.p12", "p7-ber.p7b", "pem-sec1.pem"] {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.file(name))))
      for length in stride(from: 0, to: bytes.count, by: 97) {
        let path = try scratch.file("cut", bytes.prefix(length))
        let cli = try run(scratch, "inspect", path, "--json")
        // A PEM text that is cut behind the key is whole, but has no certificate.
        #expect(cli.status != .trusted || name.hasSuffix(".pem"), "\(name) \(length)")
        _ = try members(cli)
      }
    }
  }

  @Test("key and chain from two files, in PEM or DER, are combined")
  func severalFiles() throws {
    let scratch = try ScratchFolder()
    let pem = try String(contentsOfFile: Self.file("pem-pkcs8.pem"), encoding: .utf8)
    let end = try #require(pem.range(of: "-----END PRIVATE KEY-----\n"))
    let key = try scratch.file("key.pem", pem[..<end.upperBound].utf8)
    for chain in ["p7-der.p7b", "p7-pem.p7b", "p7-ber.p7b"] {
      let cli = CLIRun("inspect", key, Self.file(chain), "--json")
      #expect(cli.status == .trusted, "\(cli.messages)")
      let identities = try members(cli)["identities"] as? [[String: Any]]
      #expect(identities?.first?["leaf"] as? String == Self.leaf)
      #expect((identities?.first?["chain"] as? [String])?.count == 3)
    }
    // Without a certificate there is nothing that it could belong to; beside another it is stray.
    let alone = CLIRun("inspect", key, "--json")
    #expect(try alone.status == .trusted && members(alone)["identities"] == nil)
    let stray = CLIRun("inspect", key, CLIRun.demo("root.pem"), "--json")
    let found = try members(stray)["identities"] as? [[String: Any]]
    #expect(stray.status == .rejected && found?.count == 1)
    #expect(found?.first?["matches"] as? Bool == false && found?.first?["leaf"] is NSNull)
  }

  @Test("of several files, the problem names only the file that cannot be read")
  func oneMissingFile() throws {
    let scratch = try ScratchFolder()
    let foreign = try scratch.file("notes", "Dear all,\n".utf8)
    for (bad, problem) in [
      ("\(scratch.path)/absent.pem", "No such file or directory"),
      (foreign, "text without a PEM block: \"Dear all,\" at byte 0 [RFC 7468 §3]"),
    ] {
      let cli = CLIRun("inspect", Self.file("pem-pkcs8.pem"), bad)
      #expect(cli.status == .unreadable)
      #expect(cli.messages == "holdfast: \(bad): \(problem)\n")
    }
  }

  @Test("PEM includes the key only on request, and the file has mode 600")
  func pem() throws {
    let scratch = try ScratchFolder()
    let file = Self.file("openssl-default.p12")
    let plain = try run(scratch, "convert", file, "--to", "pem")
    #expect(plain.status == .trusted)
    #expect(plain.messages.contains("PRIVATE KEY is passed over: only inspect, pin and convert"))
    #expect(plain.results.matches(of: #/BEGIN CERTIFICATE/#).count == 3)
    #expect(!plain.results.contains("PRIVATE"))
    let path = "\(scratch.path)/client.pem"
    let made = try run(scratch, "convert", file, "--to", "pem", "--with-key", "-o", path)
    #expect(made.status == .trusted && made.results.isEmpty)
    #expect(made.messages == "holdfast: the private key is written unencrypted\n")
    #expect(try mode(path) == 0o600)
    let again = try members(CLIRun("inspect", path, "--json"))
    #expect((again["identities"] as? [[String: Any]])?.first?["leaf"] as? String == Self.leaf)
    // What exists is replaced only when asked for, and its wider mode with it.
    let rejected = try run(scratch, "convert", file, "--to", "pem", "--with-key", "-o", path)
    #expect(rejected.status == .unreadable && rejected.messages.contains("--force replaces it"))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let forced = try run(
      scratch, "convert", file, "--to", "pem", "--with-key", "-o", path, "--force")
    #expect(forced.status == .trusted)
    #expect(try mode(path) == 0o600)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("the written PKCS #7 has everything but the key")
  func pkcs7() throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/chain.p7b"
    for name in ["openssl-default.p12", "p7-list.p7c"] {
      let cli = try run(
        scratch, "convert", Self.file(name), "--to", "p7b", "-o", path, "--force")
      #expect(cli.status == .trusted)
      func items(_ cli: CLIRun, _ kind: String) throws -> Set<String> {
        let items = try #require(try members(cli)["items"] as? [[String: Any]])
        return Set(
          items.filter { $0["kind"] as? String == kind }.map {
            "\($0["sha256"] ?? "") \($0["issuer"] ?? "") \($0["thisUpdate"] ?? "")"
          })
      }
      let before = try run(scratch, "inspect", Self.file(name), "--json")
      let after = CLIRun("inspect", path, "--json")
      for kind in ["certificate", "CRL"] {
        #expect(try items(before, kind) == items(after, kind))
      }
      #expect(try items(after, "certificate").count == 3)
      #expect(try items(after, "private key").isEmpty)
    }
  }

  @Test(
    "OpenSSL reads the written PKCS #7",
    .enabled(
      if: ToolProcess.path(of: "openssl") != nil, "ABSENT: openssl, the PKCS #7 file is not tried"))
  func pkcs7ByOpenSSL() throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/chain.p7b"
    for name in ["openssl-default.p12", "p7-list.p7c"] {
      let cli = try run(
        scratch, "convert", Self.file(name), "--to", "p7b", "-o", path, "--force")
      #expect(cli.status == .trusted)
      let read = try ToolProcess.shell(
        "openssl pkcs7 -inform DER -in \"$1\" -print_certs -noout", path)
      #expect(read.output.matches(of: #/subject=/#).count == 3, "\(read.messages)")
    }
  }

  @Test(
    "contradictory options are rejected with the reason",
    arguments: [
      (["--to", "xml"], "--to xml: expected pem, der or p7b"),
      (["--to", "p7b", "--with-key"], "--with-key is for pem"),
      (["--to", "der", "--with-key"], "--with-key is for pem"),
      (["--with-key"], "--to pem|der|p7b is missing"),
      (["--to", "p7b", "--directory", "x"], "--directory is for der"),
      (["--to", "pem", "--password-env", "HOLDFAST_NO_SUCH"], "expected a variable that is set"),
      (["--to", "pem", "--password-file", "/no/such"], "holdfast: /no/such: No such file"),
      (["--password-file", "x", "--password-env", "x", "--to", "pem"], "cannot be used together"),
      (["--iterations", "many"], "expected a number"),
    ])
  func rejected(options: [String], words: String) {
    let cli = CLIRun(words: ["convert", Self.file("openssl-default.p12")] + options)
    #expect(cli.status == (options.contains("/no/such") ? .unreadable : .usage))
    #expect(cli.messages.contains(words), "\(cli.messages)")
    #expect(cli.results.isEmpty)
  }

  @Test("with a key that is asked for and missing, nothing is written")
  func missingKey() {
    let file = CLIRun.demo("chain.pem")
    let cli = CLIRun("convert", "--to", "pem", "--with-key", file)
    #expect(cli.status == .unreadable && cli.results.isEmpty)
    #expect(cli.messages == "holdfast: \(file): there is no private key in it\n")
  }

  @Test("the caller can bound the iterations of a file")
  func iterations() throws {
    let scratch = try ScratchFolder()
    let file = Self.file("openssl-default.p12")
    #expect(try run(scratch, "inspect", file, "--iterations", "10").status == .trusted)
    let cli = try run(scratch, "inspect", file, "--iterations", "9")
    #expect(cli.messages.contains("10 iterations are more than the limit of 9"))
  }

  @Test(
    "a password is read from the environment, or from the terminal without echo",
    .enabled(if: ToolProcess.path(of: "script") != nil, "ABSENT: script"))
  func otherSources() throws {
    let file = Self.file("openssl-default.p12")
    let named = try ToolProcess.shell(
      "PW=secret \"$0\" inspect \"$1\" --password-env PW", file)
    #expect(named.output.contains(Self.pin), "\(named.messages)")
    // An empty variable is an empty password, not a missing one.
    let empty = Self.file("openssl-empty.p12")
    for (value, isRight) in [("", true), ("secret", false)] {
      let run = try ToolProcess.shell(
        "PW='\(value)' \"$0\" inspect \"$1\" --password-env PW", empty)
      #expect(run.output.contains("belongs to the leaf") == isRight, "\(run.messages)")
    }
    let wrong = try ToolProcess.shell("PW= \"$0\" inspect \"$1\" --password-env PW", file)
    #expect(wrong.messages.contains(": the password is wrong"))
    let asked = try ToolProcess.shell(
      "(sleep 1; echo secret) | script -qec \"'$0' inspect '$1'\" /dev/null", file)
    #expect(asked.output.contains("Password of \(file): "), "\(asked)")
    #expect(asked.output.contains(Self.pin), "\(asked)")
    let afterQuestion = try #require(asked.output.split(separator: "Password of").last)
    #expect(!afterQuestion.contains("secret"))
  }
}

@Suite("Containers and keys in other commands") struct ContainerTests {
  private let file = IdentityTests.file

  private func run(_ scratch: ScratchFolder, _ words: [String]) throws -> CLIRun {
    CLIRun(words: words + ["--password-file", try scratch.file("password", "secret\r\n".utf8)])
  }

  @Test(
    "the pins of a container are those of its certificates and keys",
    arguments: [
      ("openssl-default.p12", 4), ("openssl-ed25519.p12", 3), ("p7-der.p7b", 3),
      ("p7-ber.p7b", 3), ("p7-pem.p7b", 3), ("pem-sec1.pem", 4), ("pem-pkcs1.pem", 4),
    ])
  func pins(name: String, count: Int) throws {
    let scratch = try ScratchFolder()
    let cli = try run(scratch, ["pin", file(name)])
    #expect(cli.status == .trusted, "\(cli.messages)")
    let lines = cli.results.split(separator: "\n")
    #expect(lines.count == count)
    // The pin of a private key is that of its certificate.
    let pins = Set(lines.map { $0.prefix { $0 != " " } })
    #expect(pins.count == 3)
    #expect(lines.contains { $0.contains("(private key, ") } == (count == 4))
  }

  @Test("for a private key without its public part, the tool says that it has no pin")
  func keyWithoutPublicPart() throws {
    let cli = CLIRun("pin", file("pem-pkcs8-ed25519.pem"))
    #expect(cli.status == .unreadable)
    #expect(cli.results.split(separator: "\n").count == 3)
    #expect(
      cli.messages.hasSuffix(
        "block 1, line 1: Ed25519 private key without its public part; "
          + "pin its certificate or public key instead\n"))
  }

  @Test("an encrypted key is opened with its password")
  func encryptedKey() throws {
    let scratch = try ScratchFolder()
    let password = try scratch.file("password", "geheim ü".utf8)
    let cli = CLIRun("pin", file("pem-encrypted-scrypt.pem"), "--password-file", password)
    #expect(cli.status == .trusted, "\(cli.messages)")
    #expect(cli.results.contains("(private key, EC P-256)"))
  }

  @Test("an encrypted key or container needs its password")
  func passwords() throws {
    for name in ["openssl-default.p12", "pem-encrypted-scrypt.pem"] {
      let cli = CLIRun("pin", file(name))
      #expect(cli.status == .unreadable)
      #expect(
        cli.messages.contains(
          "a password is needed: --password-file FILE or --password-env VARIABLE"))
    }
    // Without encryption and code nothing is asked.
    #expect(CLIRun("pin", file("openssl-certificates-only.p12")).status == .unreadable)
    #expect(CLIRun("inspect", file("p7-der.p7b")).status == .trusted)
  }

  @Test("inspect shows the certificates and lists of containers, numbered by entry")
  func inspect() throws {
    let scratch = try ScratchFolder()
    let cli = try run(scratch, ["inspect", file("openssl-default.p12")])
    #expect(cli.status == .trusted)
    for (entry, subject) in [(1, "CN=ec"), (2, "CN=authority"), (3, "CN=root")] {
      #expect(
        cli.results.contains("p12, entry \(entry): certificate\n  subject           \(subject)"))
    }
    #expect(
      cli.results.contains("p12, entry 4: private key\n  key               EC P-256\n"))
    let list = CLIRun("inspect", file("p7-list.p7c"), "--json")
    #expect(list.results.contains("\"kind\": \"CRL\""))
    #expect(list.results.contains("\"entry\": 4"))
  }

  @Test("verify finds the leaf of a container, whatever the order of its certificates")
  func verifyHeavy() throws {
    let scratch = try ScratchFolder()
    let root = CLIRun("convert", "--to", "pem", file("p7-der.p7b")).results
    let start = try #require(root.range(of: "-----BEGIN", options: .backwards)).lowerBound
    let anchor = try scratch.file("root.pem", root[start...].utf8)
    for name in ["openssl-default.p12", "p7-der.p7b", "p7-signed.p7b", "nss-default-slow.p12"] {
      let cli = try run(
        scratch,
        [
          "verify", file(name), "--purpose", "client", "--anchors", anchor, "--at", "2027-01-01",
          "--rules", "rfc5280",
        ])
      #expect(cli.status == .trusted, "\(name) \(cli.results) \(cli.messages)")
      #expect(cli.results.hasSuffix("└─ ✓ CN=root,O=Holdfast  (anchor)\n"))
    }
  }

  @Test("convert takes containers apart")
  func convert() throws {
    let scratch = try ScratchFolder()
    let cli = try run(scratch, ["convert", "--to", "pem", file("openssl-default.p12")])
    #expect(cli.status == .trusted)
    #expect(cli.results.matches(of: #/BEGIN CERTIFICATE/#).count == 3)
    #expect(!cli.results.contains("PRIVATE"))
    #expect(
      CLIRun("convert", "--to", "pem", file("p7-list.p7c")).results.contains("BEGIN X509 CRL"))
  }
}
