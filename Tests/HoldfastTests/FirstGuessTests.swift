import Holdfast
import TestSupport
import Testing

/// What a newcomer writes first.
@Suite("First guesses") struct FirstGuessTests {
  private static let key = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
  private static let backup = "sha256/3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ="

  @Test("a table of text has the same entries as one of patterns and pins")
  func table() throws {
    let text = try PinTable(
      ["**.example.com": [Self.key, Self.backup]], excluding: ["legacy.example.com"])
    let entries = try PinTable([
      PinTable.Entry(
        HostPattern("**.example.com"), PinSet([Pin(Self.key), Pin(Self.backup)])),
      PinTable.Entry(excluding: HostPattern("legacy.example.com")),
    ])
    #expect(text == entries)
  }

  @Test("a bad host, a bad pin, a missing backup and a useless exclusion are named")
  func errors() throws {
    func error(_ pins: [String: [String]], excluding hosts: [String] = []) -> TrustManagerError? {
      do throws(TrustManagerError) {
        _ = try TrustManager(pins: pins, excluding: hosts)
        return nil
      } catch {
        return error
      }
    }
    let (key, backup) = (Self.key, Self.backup)
    let badHost = #expect(throws: HostPatternError.self) { try HostPattern("https://a.example") }
    #expect(
      error(["https://a.example": [key, backup]])
        == .badPins(.badPattern(try #require(badHost))))
    #expect(
      error(["a.example": [key, "sha256/AA="]]).map { "\($0)" }
        == "a.example, pin 2: base64 of 3 characters, not a multiple of 4: a pin is such as sha256/ and 44 "
        + "characters, of which the last is \"=\"")
    #expect(
      error(["a.example": [key]]) == .badPins(.badPins("a.example", .noBackup(try Pin(key)))))
    #expect(error(["a.example": []]) == .badPins(.badPins("a.example", .noPins)))
    #expect(
      error(["a.example": [key, backup]], excluding: ["b.example"])
        == .badPins(.nothingToExclude(try HostPattern("b.example"))))
    #expect(
      error(["a.example": [key, backup], "A.example.": [key, backup]])
        == .badPins(.duplicate(try HostPattern("a.example"))))
  }

  @Test("a manager of text has the anchors of the system, or says that there are none")
  func anchors() throws {
    let pins = ["good.com": [Self.key, Self.backup]]
    let system: AnchorSet
    do throws(SystemAnchorsError) {
      system = try .system()
    } catch {
      #expect(throws: TrustManagerError.noAnchors(error)) { try TrustManager(pins: pins) }
      return
    }
    let own = TrustManager(pins: try PinTable(pins), anchors: system)
    func answer(_ manager: TrustManager) throws -> String {
      let chain = try PinChains.chain("good-with-root")
      let error = #expect(throws: TrustError.self) {
        try manager.evaluate(chain, host: "good.com", at: PinChains.time)
      }
      return try "\(#require(error))"
    }
    #expect(try answer(TrustManager(pins: pins)) == answer(own))
    #expect(try answer(own).contains("not among the \(system.anchors.count) trust anchors"))
  }

  @Test("a manager without pins needs a valid path, and nothing else")
  func withoutPins() throws {
    let manager = TrustManager(anchors: try PinChains.anchors())
    let verdict = try manager.evaluate(
      PinChains.chain("good"), host: "good.com", at: PinChains.time)
    guard case .validPath = verdict.reason else {
      Issue.record("\(verdict)")
      return
    }
    let error = #expect(throws: TrustError.self) {
      try manager.evaluate(PinChains.chain("proxy"), host: "other.example", at: PinChains.time)
    }
    guard case .invalidPath = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("files are read by the types that they hold, and the error names the file")
  func files() throws {
    let chain = CommittedVectors.path("demo/chain.pem")
    let root = CommittedVectors.path("demo/root.pem")
    let certificate = try Certificate(file: root)
    #expect(try AnchorSet(file: root).anchors.map(\.certificate) == [certificate])
    #expect(certificate.pin == certificate.publicKey.pin)
    #expect(try AnchorSet(file: chain).count == Certificate.certificates(inFile: chain).count)
    let several = #expect(throws: ParseError.self) { try Certificate(file: chain) }
    #expect(several?.file == chain)
    #expect(throws: ParseError.self) { try AnchorSet(file: root + ".absent") }
  }

  @Test("the pin of a key is a pin")
  func pinOfKey() throws {
    let leaf = try PinChains.chain("good")[0]
    let set = try PinSet([leaf.publicKey.pin, Pin(Self.backup)])
    #expect(set.pins.map(\.pin) == [Pin(keyOf: leaf), try Pin(Self.backup)])
    #expect(try Pin("\(leaf.publicKey.pin)") == leaf.publicKey.pin)
  }

  @Test(
    "an error has a sentence for the user of a program",
    arguments: [
      ("other-host", "The certificate of good.com is for another host."),
      ("good-expired", "The certificate of good.com has expired."),
      ("proxy", "The keys of good.com are not the expected ones."),
      ("self-signed", "The certificate of good.com was not issued by a trusted authority."),
    ])
  func summary(chain: String, sentence: String) throws {
    let root = try Pin(keyOf: PinChains.roots()[0])
    let manager = try PinChains.manager(PinSet([root, Pin(Self.backup)]))
    let error = #expect(throws: TrustError.self) {
      try manager.evaluate(PinChains.chain(chain), host: "good.com", at: PinChains.time)
    }
    #expect(error?.summary == sentence)
    let any: (any Error)? = error
    #expect((any as? any HoldfastError)?.summary == sentence)
  }
}
