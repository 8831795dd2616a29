import Foundation
import HoldfastConformance
import HoldfastTool
import TestSupport
import Testing

@Suite("holdfast identity") struct IdentityTests {
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
    let cli = try run(scratch, "identity", Self.file(name), "--at", "2027-01-01")
    let json = try run(scratch, "identity", Self.file(name), "--at", "2027-01-01", "--json")
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
    let cli = try run(scratch, "identity", Self.file("openssl-default.p12"), "--json")
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
    #expect(members["certificates"] as? [String] == chain)
    #expect(members["crls"] as? [String] == [])
    #expect(members["iterations"] as? Int == 30)
    #expect(
      members["encryption"] as? [String]
        == ["AES-256-CBC, PBKDF2 with HMAC-SHA-256, 10 iterations"])
  }

  @Test(
    "a file that cannot be opened has an error with its kind, and status 3",
    arguments: [
      ("openssl-default.p12", "Secret", "wrongPassword", "the password is wrong"),
      ("openssl-default.p12", nil, "wrongPassword", "a password is needed: --password-file"),
      ("pem-encrypted-scrypt.pem", "no", "wrongPassword", "the password of the private key"),
      ("openssl-camellia.p12", "secret", "unsupported", "Camellia-256-CBC"),
      ("openssl-md5mac.p12", "secret", "unsupported", "authentication"),
      ("own-trailing.p12", "secret", "damaged", "data after the end of the structure at byte 1821"),
      ("own-too-many-iterations.p12", "secret", "limit", "10000001 iterations"),
      ("own-greedy-scrypt.p12", "secret", "limit", "scrypt"),
      ("p7-enveloped.p7m", "secret", "unsupported", "content type"),
      ("absent.p12", "secret", "unreadable", "No such file"),
    ])
  func failures(name: String, password: String?, kind: String, words: String) throws {
    let scratch = try ScratchFolder()
    let options =
      try password.map { ["--password-file", try scratch.file("password", $0.utf8)] } ?? []
    let cli = CLIRun(words: ["identity", Self.file(name), "--json"] + options)
    #expect(cli.status == .unreadable)
    let error = try #require(try members(cli)["error"] as? [String: String])
    #expect(error["kind"] == kind)
    #expect(error["message"]?.contains(words) == true, "\(error)")
    #expect(cli.messages.contains(words))
    let text = CLIRun(words: ["identity", Self.file(name)] + options)
    #expect(text.status == .unreadable && text.messages == cli.messages)
  }

  @Test("a file cut at any length ends with status 3, never with a crash")
  func cut() throws {
    let scratch = try ScratchFolder()
    for name in ["openssl-default.p12", "own-ber-indefinite.p12", "p7-ber.p7b", "pem-sec1.pem"] {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.file(name))))
      for length in stride(from: 0, to: bytes.count, by: 97) {
        let path = try scratch.file("cut", bytes.prefix(length))
        let cli = try run(scratch, "identity", path, "--json")
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
      let cli = CLIRun("identity", key, Self.file(chain), "--json")
      #expect(cli.status == .trusted, "\(cli.messages)")
      let identities = try members(cli)["identities"] as? [[String: Any]]
      #expect(identities?.first?["leaf"] as? String == Self.leaf)
      #expect((identities?.first?["chain"] as? [String])?.count == 3)
    }
    #expect(CLIRun("identity", key).status == .rejected)
  }

  @Test("of several files, the problem names only the file that cannot be read")
  func oneMissingFile() throws {
    let scratch = try ScratchFolder()
    let foreign = try scratch.file("notes", "Dear all,\n".utf8)
    for (bad, problem) in [
      ("\(scratch.path)/absent.pem", "No such file or directory"),
      (foreign, "text without a PEM block: \"Dear all,\" at byte 0 [RFC 7468 §3]"),
    ] {
      let cli = CLIRun("identity", Self.file("pem-pkcs8.pem"), bad, "--json")
      #expect(cli.status == .unreadable)
      #expect(cli.messages == "holdfast: \(bad): \(problem)\n")
    }
  }

  @Test("PEM includes the key only on request, and the file has mode 600")
  func pem() throws {
    let scratch = try ScratchFolder()
    let file = Self.file("openssl-default.p12")
    let plain = try run(scratch, "identity", file, "--to", "pem")
    #expect(plain.status == .trusted && plain.messages.isEmpty)
    #expect(plain.results.matches(of: #/BEGIN CERTIFICATE/#).count == 3)
    #expect(!plain.results.contains("PRIVATE"))
    let path = "\(scratch.path)/client.pem"
    let made = try run(scratch, "identity", file, "--to", "pem", "--with-key", "-o", path)
    #expect(made.status == .trusted && made.results.isEmpty)
    #expect(made.messages == "holdfast: the private key is written unencrypted\n")
    #expect(try mode(path) == 0o600)
    let again = try members(CLIRun("identity", path, "--json"))
    #expect((again["identities"] as? [[String: Any]])?.first?["leaf"] as? String == Self.leaf)
    // What exists is replaced only when asked for, and its wider mode with it.
    let rejected = try run(scratch, "identity", file, "--to", "pem", "--with-key", "-o", path)
    #expect(rejected.status == .unreadable && rejected.messages.contains("--force replaces it"))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let forced = try run(
      scratch, "identity", file, "--to", "pem", "--with-key", "-o", path, "--force")
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
        scratch, "identity", Self.file(name), "--to", "p7b", "-o", path, "--force")
      #expect(cli.status == .trusted)
      let before = try members(run(scratch, "identity", Self.file(name), "--json"))
      let after = try members(CLIRun("identity", path, "--json"))
      #expect(
        Set(try #require(before["certificates"] as? [String]))
          == Set(try #require(after["certificates"] as? [String])))
      #expect(before["crls"] as? [String] == after["crls"] as? [String])
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
        scratch, "identity", Self.file(name), "--to", "p7b", "-o", path, "--force")
      #expect(cli.status == .trusted)
      let read = try ToolProcess.shell(
        "openssl pkcs7 -inform DER -in \"$1\" -print_certs -noout", path)
      #expect(read.output.matches(of: #/subject=/#).count == 3, "\(read.messages)")
    }
  }

  @Test(
    "contradictory options are rejected with the reason",
    arguments: [
      (["--to", "der"], "--to der: expected pem or p7b"),
      (["--to", "p7b", "--with-key"], "PKCS #7 has no place for keys"),
      (["--with-key"], "--with-key goes with --to"), (["-o", "x"], "--output goes with --to"),
      (["--to", "pem", "--json"], "--to and --json cannot be used together"),
      (["--password-env", "HOLDFAST_NO_SUCH"], "expected a variable that is set"),
      (["--password-file", "/no/such"], "holdfast: /no/such: No such file"),
      (["--password-file", "x", "--password-env", "x"], "cannot be used together"),
      (["--iterations", "many"], "expected a number"),
    ])
  func rejected(options: [String], words: String) {
    let cli = CLIRun(words: ["identity", Self.file("openssl-default.p12")] + options)
    #expect(cli.status == (options.contains("/no/such") ? .unreadable : .usage))
    #expect(cli.messages.contains(words), "\(cli.messages)")
    #expect(cli.results.isEmpty)
  }

  @Test("the caller can bound the iterations of a file")
  func iterations() throws {
    let scratch = try ScratchFolder()
    let file = Self.file("openssl-default.p12")
    #expect(try run(scratch, "identity", file, "--iterations", "10").status == .trusted)
    let cli = try run(scratch, "identity", file, "--iterations", "9")
    #expect(cli.messages.contains("10 iterations are more than the limit of 9"))
  }

  @Test(
    "a password is read from the environment, or from the terminal without echo",
    .enabled(if: ToolProcess.path(of: "script") != nil, "ABSENT: script"))
  func otherSources() throws {
    let file = Self.file("openssl-default.p12")
    let named = try ToolProcess.shell(
      "PW=secret \"$0\" identity \"$1\" --password-env PW", file)
    #expect(named.output.contains(Self.pin), "\(named.messages)")
    // An empty variable is an empty password, not a missing one.
    let empty = Self.file("openssl-empty.p12")
    for (value, isRight) in [("", true), ("secret", false)] {
      let run = try ToolProcess.shell(
        "PW='\(value)' \"$0\" identity \"$1\" --password-env PW", empty)
      #expect(run.output.contains("belongs to the leaf") == isRight, "\(run.messages)")
    }
    let wrong = try ToolProcess.shell("PW= \"$0\" identity \"$1\" --password-env PW", file)
    #expect(wrong.messages.contains(": the password is wrong"))
    let asked = try ToolProcess.shell(
      "(sleep 1; echo secret) | script -qec \"'$0' identity '$1'\" /dev/null", file)
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
      #expect(cli.messages.contains("a password is needed: --password-file or --password-env"))
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
