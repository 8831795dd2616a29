import Foundation
import HoldfastCertificates
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

@Suite("Input files") struct InputTests {
  private static let leaf = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
  private static let root = "sha256/3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ="

  /// An OCSP request for the certificate 1001 of Vectors/revocation.
  private static let request =
    "MEMwQTA/MD0wOzAJBgUrDgMCGgUABBRN0f5v4SGzUu+EDGMPgGAQY63BHwQUk9jSLlQVZdKCoMtbqddHfyb0kV8CAhAB"

  @Test("text around the blocks, CR LF and a byte order mark do not matter")
  func surroundings() throws {
    let scratch = try ScratchFolder()
    let pem = String(decoding: try CLIRun.demoBytes("root.pem"), as: UTF8.self)
    let session = "CONNECTED(00000003)\n---\n 0 s:C = SE\n   i:C = SE\n" + pem + "---\nDONE\n"
    let files = [
      try scratch.file("session", session.utf8),
      try scratch.file("crlf", pem.replacingOccurrences(of: "\n", with: "\r\n").utf8),
      try scratch.file("mark", [0xEF, 0xBB, 0xBF] + pem.utf8),
    ]
    for file in files {
      let cli = CLIRun("pin", file)
      #expect(cli.status == .trusted, "\(cli.messages)")
      #expect(cli.results.hasPrefix(Self.root))
    }
  }

  @Test("DER files are recognized by their structure, even several in one file")
  func der() throws {
    let scratch = try ScratchFolder()
    for name in ["root", "backup-request"] {
      let path = "\(scratch.path)/\(name).der"
      let made = CLIRun("convert", "--to", "der", CLIRun.demo("\(name).pem"), "-o", path)
      #expect(made.status == .trusted)
      #expect(CLIRun("pin", path).results == CLIRun("pin", CLIRun.demo("\(name).pem")).results)
    }
    let both = try ["root", "backup-request"].flatMap {
      Array(try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/\($0).der")))
    }
    let cli = CLIRun("pin", try scratch.file("both.der", both))
    #expect(cli.results.split(separator: "\n").count == 2)
  }

  @Test("a DER file whose fields have PEM in them is read as what it is, in every command")
  func textInside() throws {
    let scratch = try ScratchFolder()
    let inner = try SignedCertificate.root("Inner", 2)
    let outer = try SignedCertificate.root(holding: "x\n\(inner.pem)y")
    let path = try scratch.file("outer.der", outer.der)
    let pin = "sha256/" + Base64.text(of: outer.publicKey.fingerprint())
    #expect(CLIRun("pin", path).results.hasPrefix(pin))
    #expect(CLIRun("inspect", path).results.contains("CN=Outer"))
    #expect(CLIRun("roots", path).results.contains("Outer"))
    let other = try scratch.file("inner.pem", inner.pem.utf8)
    let verified = CLIRun(
      "verify", other, "--anchors", path, "--purpose", "any", "--rules", "rfc5280", "--at",
      "2026-01-01")
    #expect(verified.status == .rejected)
    let batch = CLIRun("batch", path, "--anchors", path)
    #expect(batch.results.contains("CN=Outer") && !batch.results.contains("Inner"))
  }

  @Test(
    "private keys and other unusable entries are named and skipped",
    arguments: [
      ("PRIVATE KEY", ": only inspect, pin and convert --with-key read private keys"),
      ("EC PRIVATE KEY", ": only inspect, pin and convert --with-key read private keys"),
      (
        "ENCRYPTED PRIVATE KEY",
        ": pin and, with --password-file or --password-env, inspect read it"
      ),
      ("X509 ATTRIBUTES", ""),
    ])
  func passedOver(label: String, reason: String) throws {
    let scratch = try ScratchFolder()
    let block = "-----BEGIN \(label)-----\nMAA=\n-----END \(label)-----\n"
    let path = try scratch.file("key.pem", Array(block.utf8) + CLIRun.demoBytes("chain.pem"))
    let note = "holdfast: \(path), block 1, line 1: \(label) is passed over\(reason)\n"
    let cli = CLIRun("convert", "--to", "pem", path)
    #expect(cli.status == .trusted)
    #expect(cli.bytes == (try CLIRun.demoBytes("chain.pem")))
    #expect(cli.messages == note)
    #expect(CLIRun("convert", "--to", "pem", path, "--quiet").messages.isEmpty)
    let alone = CLIRun("convert", "--to", "pem", try scratch.file("alone.pem", block.utf8))
    #expect(alone.status == .unreadable)
    #expect(alone.messages.contains("there is nothing in it that can be read"))
  }

  @Test("the curve that openssl writes before a key is passed over in silence")
  func curveBeforeKey() throws {
    let scratch = try ScratchFolder()
    let block = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
    let path = try scratch.file("key.pem", Array(block.utf8) + CLIRun.demoBytes("chain.pem"))
    let cli = CLIRun("inspect", path)
    #expect(cli.status == .trusted && cli.messages.isEmpty)
    #expect(cli.results.contains(Self.leaf))
  }

  @Test("inspect says the type and size of a private key, and nothing of the key")
  func privateKey() {
    let path = CommittedVectors.path("identities/files/pem-pkcs8-ed25519.pem")
    let cli = CLIRun("inspect", path)
    #expect(cli.status == .trusted && cli.messages.isEmpty)
    #expect(cli.results.contains("block 1, line 1: private key\n  key               Ed25519\n"))
  }

  @Test("an encrypted key is passed over by inspect, or opened with the password that is given")
  func encryptedKey() throws {
    let scratch = try ScratchFolder()
    let password = try scratch.file("password", "geheim ü".utf8)
    let path = CommittedVectors.path("identities/files/pem-encrypted-scrypt.pem")
    let closed = CLIRun("inspect", path)
    #expect(closed.status == .trusted)
    #expect(closed.messages.contains("ENCRYPTED PRIVATE KEY is passed over: pin and, with"))
    let opened = CLIRun("inspect", path, "--password-file", password)
    #expect(opened.status == .trusted && opened.messages.isEmpty)
    #expect(opened.results.contains("private key\n  key               EC P-256\n"))
  }

  @Test("private keys in DER are recognized by their first elements")
  func privateDER() throws {
    let scratch = try ScratchFolder()
    let keys: [(String, [UInt8])] = [
      ("PRIVATE KEY", [0x30, 0x07, 0x02, 0x01, 0x00, 0x30, 0x00, 0x04, 0x00]),
      ("EC PRIVATE KEY", [0x30, 0x05, 0x02, 0x01, 0x01, 0x04, 0x00]),
      ("RSA PRIVATE KEY", [0x30, 0x09, 0x02, 0x01, 0x00, 0x02, 0x01, 0x0F, 0x02, 0x01, 0x03]),
      ("ENCRYPTED PRIVATE KEY", [0x30, 0x04, 0x30, 0x00, 0x04, 0x00]),
    ]
    for (label, bytes) in keys {
      let cli = CLIRun("graph", try scratch.file("key", bytes))
      #expect(cli.status == .unreadable)
      #expect(cli.messages.contains("\(label) is passed over: "))
    }
  }

  @Test(
    "input that is not a certificate is rejected with the reason",
    arguments: [
      ([], "the file is empty [RFC 7468 §3]"),
      ([0x89, 0x50], "neither PEM nor DER: begins with byte 0x89 at byte 0 [RFC 7468 §3]"),
      ([0xFF, 0xFE, 0x2D, 0x00], "UTF-16 text instead of ASCII at byte 0 [RFC 7468 §3]"),
      ([0x30, 0x80, 0x00, 0x00], "indefinite length at byte 1 [X.690 §10.1]"),
      ([0x30, 0x05, 0x00], "the length reaches beyond the end at byte 1 [X.690 §8.1.3]"),
    ] as [([UInt8], String)])
  func rejected(bytes: [UInt8], reason: String) throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file("file", bytes)
    let cli = CLIRun("inspect", file, CLIRun.demo("root.pem"))
    #expect(cli.status == .unreadable)
    #expect(cli.messages == "holdfast: \(file): \(reason)\n")
    #expect(cli.results.contains("CN=Demo Root X1"))
  }

  @Test("trailing data of a DER file is reported at its start, and the data before it is read")
  func dataAfterTheEnd() throws {
    let scratch = try ScratchFolder()
    func firstBlock(_ path: String) throws -> [UInt8] {
      let text = try Data(contentsOf: URL(fileURLWithPath: CommittedVectors.path(path)))
      return try #require(PEMText(Array(text)).blocks.first?.bytes)
    }
    var files = try [
      "demo/root.pem", "demo/backup-request.pem", "revocation/lists.pem", "revocation/answers.pem",
    ].map(firstBlock)
    files.append(Array(try #require(Data(base64Encoded: Self.request))))
    for der in files {
      let good = CLIRun("inspect", try scratch.file("file", der))
      #expect(good.status == .trusted)
      // A line end, as editors add it; two of them look like an element; a tag without a length.
      for tail in [[0x0A], [0x0A, 0x0A], [0x00, 0x00], [0x30]] as [[UInt8]] {
        let file = try scratch.file("file", der + tail)
        let cli = CLIRun("inspect", file)
        #expect(cli.status == .unreadable && cli.results == good.results)
        #expect(
          cli.messages
            == "holdfast: \(file): data after the end of the structure at byte \(der.count) "
            + "[X.690 §8.1.1]\n")
      }
    }
    // Another structure that is cut off, and a container.
    let cut = try scratch.file("cut", files[0] + files[0].dropLast())
    #expect(CLIRun("inspect", cut).messages.contains("the length reaches beyond the end"))
    let container = try Data(
      contentsOf: URL(fileURLWithPath: CommittedVectors.path("identities/files/p7-der.p7b")))
    let cli = CLIRun("inspect", try scratch.file("long.p7b", container + [0x0A]))
    #expect(
      cli.messages.contains(
        "data after the end of the structure at byte \(container.count) [X.690 §8.1.1]"))
  }

  @Test("a byte order mark hides no block")
  func byteOrderMark() throws {
    let scratch = try ScratchFolder()
    let chain = try CLIRun.demoBytes("chain.pem")
    let path = try scratch.file("marked.pem", [0xEF, 0xBB, 0xBF] + chain)
    let cli = CLIRun("pin", path)
    #expect(cli.status == .trusted && cli.messages.isEmpty)
    #expect(cli.results == CLIRun("pin", CLIRun.demo("chain.pem")).results)
    let plain = CLIRun("convert", "--to", "pem", CLIRun.demo("chain.pem"))
    #expect(CLIRun("convert", "--to", "pem", path).results == plain.results)
  }

  @Test("directories, missing files and endless files are rejected")
  func unreadable() throws {
    let empty = try ScratchFolder()
    #expect(
      CLIRun("pin", empty.path).messages == "holdfast: \(empty.path): no file in this folder\n")
    let folder = CLIRun.demo("")
    #expect(CLIRun("graph", folder).messages == "holdfast: \(folder): Is a directory\n")
    #expect(CLIRun("pin", "/no/such").messages == "holdfast: /no/such: No such file or directory\n")
    #expect(
      CLIRun("pin", "/dev/zero").messages
        == "holdfast: /dev/zero: larger than the limit of 16777216 bytes\n")
  }

  @Test("a bad block does not affect its neighbors, and is named by block and line")
  func neighbors() throws {
    let scratch = try ScratchFolder()
    let bad = "-----BEGIN CERTIFICATE-----\nMA*=\n-----END CERTIFICATE-----\n"
    let root = try CLIRun.demoBytes("root.pem")
    let path = try scratch.file("mixed.pem", root + Array(bad.utf8) + root)
    let cli = CLIRun("pin", path)
    #expect(cli.status == .unreadable)
    #expect(cli.results.split(separator: "\n").count == 2)
    let lines = root.count { $0 == 0x0A }
    #expect(
      cli.messages == "holdfast: \(path), block 2, line \(lines + 2): character 0x2a is not "
        + "base64 [RFC 4648 §3.3]\n")
  }

  /// A BEGIN ends the block before it, whose error is found on the line of that BEGIN.
  @Test(
    "a broken first block is never replaced by the next one",
    arguments: [
      "-----BEGIN CERTIFICATE-----\nx\n", "-----BEGIN CERTIFICATE-----\n",
      "-----BEGIN CERTIFICATE-----\nMA*=\n-----END CERTIFICATE-----\n",
      "-----BEGIN CERTIFICATE-----\nMAA=\n", "-----BEGIN CERTIFICATE----\nMAA=\n",
      "-----END CERTIFICATE-----\n", " -----BEGIN CERTIFICATE-----\n",
      "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n",
    ])
  func brokenFirstBlock(block: String) throws {
    let scratch = try ScratchFolder()
    let chain = try CLIRun.demoBytes("chain.pem")
    let path = try scratch.file("first.pem", Array(block.utf8) + chain)
    let question = ["--host", "www.demo.example", "--at", "2026-11-21"]
    let anchors = ["--anchors", CLIRun.demo("root.pem")]
    for command in [["verify"], ["verify", "-v"]] {
      let cli = CLIRun(words: command + [path] + question + anchors)
      #expect(cli.status == .unreadable && cli.results.isEmpty, "\(cli.results)")
      #expect(cli.messages.hasPrefix("holdfast: \(path), "), "\(cli.messages)")
      // Behind the leaf it spoils nothing.
      let later = try scratch.file("later.pem", chain + Array(block.utf8))
      #expect(CLIRun(words: command + [later] + question + anchors).status == .trusted)
    }
    for words in [["pin"], ["inspect"], ["graph"], ["convert", "--to", "pem"]] {
      #expect(CLIRun(words: words + [path]).status == .unreadable, "\(words)")
    }
  }

  @Test("problems are reported in the order of the file")
  func orderOfProblems() throws {
    let scratch = try ScratchFolder()
    let bad = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
    let cut = "-----BEGIN CERTIFICATE-----\nx\n"
    let path = try scratch.file("order.pem", (cut + bad + cut + bad).utf8)
    let blocks = CLIRun("pin", path).messages.matches(of: #/block ([0-9]+), line ([0-9]+)/#)
    #expect(blocks.map { String($0.output.1) } == ["1", "2", "3", "4"])
  }

  @Test("control and bidirectional characters of a file name do not reach the terminal")
  func names() {
    let cli = CLIRun("pin", "a\u{1B}[31m\u{202E}\n")
    #expect(cli.messages == "holdfast: a\\u{1B}[31m\\u{202E}\\u{A}: No such file or directory\n")
  }

  @Test("hostile files of 1 MiB get a short answer")
  func hostile() throws {
    let scratch = try ScratchFolder()
    let nested = (0..<200_000).flatMap { (index: Int) -> [UInt8] in
      let rest = (200_000 - index) * 5 - 5
      return [0x30, 0x83, UInt8(rest >> 16), UInt8(rest >> 8 & 0xFF), UInt8(rest & 0xFF)]
    }
    let texts: [[UInt8]] = [
      nested, Array(repeating: 0x30, count: 1 << 20),
      (0..<1 << 19).flatMap { _ in [0x30, 0x00] as [UInt8] },
      (0..<40_000).flatMap { _ in Array("-----BEGIN CERTIFICATE-----\n".utf8) },
      (0..<20_000).flatMap { _ in
        Array("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n".utf8)
      },
    ]
    for text in texts {
      let cli = CLIRun("inspect", try scratch.file("hostile", text))
      #expect(cli.status == .unreadable)
      #expect(cli.results.isEmpty)
      #expect(cli.messages.split(separator: "\n").count <= 103)
    }
  }
}
