import Foundation
import Holdfast
import HoldfastConformance
import TestSupport
import Testing

/// Pins, their notations, and what is wrong with texts that are none.
@Suite("Pins") struct PinTests {
  private let base64 = "n95z/So+vXjWt352VsADIAf/0kU1RIhEcvRuTS00Y8E="
  private let hexadecimal = "9fde73fd2a3ebd78d6b77e7656c0032007ffd2453544884472f46e4d2d3463c1"

  @Test("every notation is read as the same pin, and written back as it was read")
  func notations() throws {
    let pin = try Pin("sha256/" + base64)
    let texts: [(Pin.Notation, String)] = [
      (.standard, "sha256/" + base64), (.curl, "sha256//" + base64),
      (.hexadecimal, hexadecimal), (.header, "pin-sha256=\"\(base64)\""), (.base64, base64),
    ]
    for (notation, text) in texts {
      #expect(try Pin(text) == pin, "\(text)")
      #expect(pin.text(notation) == text)
    }
    #expect(try Pin("sha256:" + hexadecimal) == pin)
    #expect(try Pin(hexadecimal.uppercased()) == pin)
    var colons = ""
    for (index, digit) in hexadecimal.enumerated() {
      if index > 0, index % 2 == 0 { colons += ":" }
      colons.append(digit)
    }
    #expect(try Pin(colons) == pin)
    #expect(try Pin("cert-sha256/" + base64) != pin)
  }

  @Test("base64 that begins with a slash is not mistaken for curl's second slash")
  func leadingSlash() throws {
    var digest = [UInt8](repeating: 0, count: 32)
    digest[0] = 0xFC
    let pin = try Pin(digest: digest)
    #expect(pin.text() == "sha256//" + String(repeating: "A", count: 42) + "=")
    for notation in Pin.Notation.allCases {
      #expect(try Pin(pin.text(notation)) == pin, "\(notation)")
    }
  }

  @Test("longer digests are read by name or by length, and none is mistaken for another")
  func longDigests() throws {
    for algorithm in Pin.Algorithm.allCases {
      for first: UInt8 in [0x00, 0xFC, 0xFF] {
        var digest = [UInt8](repeating: 0x55, count: algorithm.digestLength)
        digest[0] = first
        let pin = try Pin(digest: digest, by: algorithm)
        for notation in Pin.Notation.allCases {
          #expect(try Pin(pin.text(notation)) == pin, "\(algorithm) \(notation) \(first)")
        }
      }
    }
  }

  @Test("a text that is too short for a pin is told what a pin looks like")
  func shape() {
    let error = #expect(throws: PinError.self) { try Pin("sha256/abc") }
    #expect(
      error?.description == "base64 of 3 characters, not a multiple of 4: a pin is such as sha256/ "
        + "and 44 characters, of which the last is \"=\"")
  }

  @Test("a text that is not a pin is rejected with the problem and its position")
  func rejections() throws {
    let rows: [(String, PinError.Problem, Int)] = [
      ("", .empty, 0), ("sha256/", .empty, 7),
      ("sha1/9dQsCWjmwLqWXqIwyKTmFnHYWpY=", .unknownFunction("sha1"), 0),
      ("SHA256/" + base64, .unknownFunction("SHA256"), 0),
      ("sha256/AAAA", .badLength(bytes: 3, expected: 32), 7),
      ("sha256/" + base64.dropLast(), .badPadding(characters: 43), 7),
      ("sha256/" + base64 + " ", .badCharacter(0x20), 51),
      ("sha256/n95z /So" + base64.dropFirst(8), .badCharacter(0x20), 11),
      (hexadecimal.prefix(3) + ":" + hexadecimal.dropFirst(3), .badCharacter(0x3A), 3),
      ("sha256/n95z_So-" + base64.dropFirst(8), .urlAlphabet, 11),
      (
        "sha256/" + Data(hexadecimal.utf8).base64EncodedString(), .encodedTwice, 7
      ),
      ("sha256/" + base64.dropLast(2) + "F=", .notBase64, 7),
      ("pin-sha256=" + base64, .missingQuote, 11),
      ("pin-sha1=\"AAAA\"", .unknownFunction("sha1"), 4),
      ("sha256:" + hexadecimal.dropLast(), .badLength(bytes: 31, expected: 32), 7),
      (String(hexadecimal.dropLast(2)), .badLength(bytes: 31, expected: 32), 0),
      ("-----BEGIN CERTIFICATE-----\nMIIB", .certificateText, 0),
      (String(repeating: "A", count: 300), .tooLong, 0),
    ]
    for (text, problem, offset) in rows {
      let error = #expect(throws: PinError.self, "\(text)") { try Pin(text) }
      #expect(error?.problem == problem, "\(text): \(String(describing: error))")
      #expect(error?.offset == offset, "\(text)")
    }
  }

  @Test("one byte repeated, as examples have it, is a placeholder in every notation and no pin")
  func placeholders() throws {
    let letters = String(repeating: "A", count: 43) + "="
    let rows: [(String, Int)] = [
      ("sha256/" + letters, 7), ("sha256//" + letters, 8), ("cert-sha256/" + letters, 12),
      ("pin-sha256=\"\(letters)\"", 12), (letters, 0),
      ("sha256:" + String(repeating: "f", count: 64), 7), (String(repeating: "0", count: 64), 0),
      (String(repeating: "AA:", count: 31) + "AA", 0),
      ("sha512/" + String(repeating: "/", count: 85) + "w==", 7),
    ]
    for (text, offset) in rows {
      let error = #expect(throws: PinError.self, "\(text)") { try Pin(text) }
      #expect(error?.problem == .placeholder && error?.offset == offset, "\(text)")
    }
    for algorithm in Pin.Algorithm.allCases {
      let bytes = [UInt8](repeating: 0xFF, count: algorithm.digestLength)
      let error = #expect(throws: PinError.self) { try Pin(digest: bytes, by: algorithm) }
      #expect(error?.problem == .placeholder)
    }
    let error = #expect(throws: PinError.self) { try Pin(base64: letters) }
    #expect(error?.description.contains("placeholder") == true)
    let inTable = #expect(throws: PinTableError.self) {
      try PinTable(["a.example": ["sha256/" + base64, "sha256/" + letters]])
    }
    #expect(inTable == .badPin("a.example", index: 1, PinError(.placeholder, at: 7)))
  }

  @Test("labelled texts and a date make a set, and an error names the position")
  func labelled() throws {
    let other = "sha256/" + Data((7..<39).map { UInt8($0) }).base64EncodedString()
    let set = try PinSet(
      ["current": "sha256/" + base64, "backup": other], expires: "2028-01-01")
    #expect(set.pins.map(\.label) == ["current", "backup"])
    #expect(set.expiry == (try PinSet.Expiry(at: "2028-01-01")))
    #expect(try PinSet(["sha256/" + base64, other], expires: "2028-01-01").expiry == set.expiry)
    let time = try #require(Timestamp("2028-01-01T00:00:00Z"))
    #expect(try PinSet(set.pins.map(\.pin), expires: time).expiry == set.expiry)
    let error = #expect(throws: PinSetError.self) {
      try PinSet(["current": "sha256/" + base64, "backup": "sha256/AAAA"], expires: "2028-01-01")
    }
    #expect(error?.description.hasPrefix("pin 2: ") == true && error?.code == "invalid_pin")
    let date = #expect(throws: PinSetError.self) {
      try PinSet(["sha256/" + base64, other], expires: "soon")
    }
    #expect(date == .badTime("soon"))
    let table = #expect(throws: PinTableError.self) {
      try PinTable(["a.example": [other, "sha256/AAAA"]])
    }
    #expect(table?.description.hasPrefix("a.example, pin 2: ") == true)
  }

  @Test("no cut or changed text is read as a pin of another length")
  func mutations() throws {
    let texts = ["sha256/" + base64, "pin-sha256=\"\(base64)\"", "sha256:" + hexadecimal]
    for text in texts {
      let bytes = Array(text.utf8)
      for count in 0..<bytes.count {
        let cut = String(decoding: bytes[..<count], as: UTF8.self)
        #expect(throws: PinError.self, "\(cut)") { try Pin(cut) }
      }
      for offset in bytes.indices {
        for byte: UInt8 in [0x00, 0x0A, 0x20, 0x22, 0x3D, 0x5F, 0x80, 0xFF] {
          var changed = bytes
          changed[offset] = byte
          let text = String(decoding: changed, as: UTF8.self)
          do throws(PinError) {
            let pin = try Pin(text)
            #expect(pin.digest.count == 32, "\(text)")
          } catch {
            #expect(!error.summary.isEmpty, "\(text)")
          }
        }
      }
    }
  }

  @Test("the pin of a key is the digest of its SubjectPublicKeyInfo as OpenSSL has it")
  func keys() throws {
    // openssl x509 -in Vectors/demo/chain.pem -pubkey -noout | openssl pkey -pubin -outform der |
    // openssl dgst -sha256 -binary | base64
    let path = CommittedVectors.path("demo/chain.pem")
    let chain = try Certificate.certificates(
      inPEM: String(contentsOfFile: path, encoding: .utf8))
    let pin = Pin(keyOf: chain[0])
    #expect(pin == chain[0].publicKey.pin)
    #expect(pin.matches(chain[0]) && !pin.matches(chain[1]))
    #expect(pin.matches(chain[0].publicKey))
    #expect(Pin(chain[0]).matches(chain[0]) && !Pin(chain[0]).matches(chain[1]))
    #expect(Pin(chain[0]) != pin)
  }

  @Test("a request has the pin of the key that it is for, as OpenSSL has it")
  func request() throws {
    // openssl req -in Vectors/demo/backup-request.pem -pubkey -noout | openssl pkey -pubin
    // -outform der | openssl dgst -sha256 -binary | base64
    let request = try CertificateRequest(file: CommittedVectors.path("demo/backup-request.pem"))
    #expect("\(request.pin)" == "sha256/rHje53AhClbYCui+Yh9O2QqyaLsR65R2r0QknVsriHE=")
  }

  @Test("meaningless sets are errors")
  func sets() throws {
    let one = try Pin("sha256/" + base64)
    let two = try Pin(digest: Array(1..<33))
    let time = PinChains.time
    #expect(throws: PinSetError.noPins) { try PinSet([Pin]()) }
    #expect(throws: PinSetError.noBackup(one)) { try PinSet([one]) }
    #expect(throws: PinSetError.noBackup(one)) { try PinSet([one, one]) }
    #expect(throws: PinSetError.pinnedAndDenied(two)) { try PinSet([one, two], denied: [two]) }
    #expect(throws: PinSetError.nothingToAnchor) { try PinSet([one, two], anchoring: .pinsOnly) }
    #expect(throws: PinSetError.badTime("2028-02-30")) { try PinSet.Expiry(at: "2028-02-30") }
    #expect(try PinSet.Expiry(at: "2028-02-29").time == Timestamp("2028-02-29T00:00:00Z"))
    #expect(throws: PinSetError.expiresBeforeItBegins(time)) {
      try PinSet([one, two], mode: .enforcedFrom(time), expiry: .init(at: time))
    }
    #expect(throws: PinSetError.noScope(one)) {
      try PinSet([ScopedPin(one, in: []), ScopedPin(two)])
    }
    #expect(try PinSet([one], backup: .waived).pins.count == 1)
    #expect(try PinSet([Pin](), denied: [one]).denied == [one])
  }

  @Test("a dictionary of hosts becomes a table in a fixed order")
  func tables() throws {
    let pins = try PinSet([Pin(digest: Array(1..<33))], backup: .waived)
    let table = try PinTable(["**.b.example": pins, "a.example": pins])
    let entries = [
      PinTable.Entry(try HostPattern("**.b.example"), pins),
      PinTable.Entry(try HostPattern("a.example"), pins),
    ]
    #expect(table.entries == entries)
    #expect(table == (try PinTable(entries)))
    #expect(
      "\(table)" == """
        **.b.example:
          sha256/AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=
        a.example:
          sha256/AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=
        """)
    let error = #expect(throws: PinTableError.self) { try PinTable(["a.*.example": pins]) }
    #expect(error.map { "\($0)" }?.contains("a wildcard must be") == true)
    // Two texts of one host are one pattern.
    #expect(throws: PinTableError.self) {
      try PinTable(["a.example": pins, "A.example.": pins])
    }
  }

  @Test("a pin is coded as its text, and invalid text names the reason")
  func coding() throws {
    struct Settings: Codable { var pins: [Pin] }
    let text = "{\"pins\":[\"sha256/\(base64)\",\"\(hexadecimal)\"]}"
    let settings = try JSONDecoder().decode(Settings.self, from: Data(text.utf8))
    #expect(try settings.pins == [Pin(base64), Pin(base64)])
    let again = try JSONDecoder().decode(
      Settings.self, from: try JSONEncoder().encode(settings))
    #expect(again.pins == settings.pins)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Settings.self, from: Data("{\"pins\":[\"sha256/AA\"]}".utf8))
    }
    #expect(error.map { "\($0)" }?.contains("not a multiple of 4") == true)
  }
}

/// Sets with an index of their pins.
@Suite("Large sets of pins") struct LargePinSetTests {
  /// Expected is what the set without the other pins says, which is small enough to be compared one
  /// by one.
  @Test(
    "many other pins change nothing, whatever the kinds and scopes of those on the path",
    arguments: 0..<64)
  func others(choice: Int) throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let path = try PathValidator(anchors: AnchorSet([root])).validate(
      [leaf], for: .anyServer, at: SignedCertificate.time)
    let candidates = [
      ScopedPin(Pin(keyOf: leaf, by: .sha384), in: .leaf, label: "a"),
      ScopedPin(Pin(leaf), in: .anchor), ScopedPin(Pin(keyOf: root), in: .anchor, label: "b"),
      ScopedPin(Pin(root, by: .sha512)), ScopedPin(Pin(keyOf: root), in: .leaf),
      ScopedPin(Pin(keyOf: leaf)),
    ]
    let held = candidates.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element)
    let others = try (0..<1_000).map { number in
      ScopedPin(
        try Pin(
          digest: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 2)) + 7 * $0) }))
    }
    for scopes in [[], [.leaf], [.anchor], [.leaf, .anchor]] as [[PinScope]] {
      func outcome(_ pins: [ScopedPin]) throws -> Result<PinMatch, PinnedPath.Reason> {
        let set = try PinSet(pins, requiredScopes: scopes, backup: .waived)
        return Result { () throws(PinnedPath.Reason) in try set.evaluate(path.elements) }
      }
      let small = try outcome(Array(others[..<2]) + held)
      #expect(try outcome(others + held) == small)
      #expect(try outcome(Array(others[..<500]) + held + Array(others[500...])) == small)
    }
  }
}
