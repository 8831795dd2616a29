import Foundation
import Holdfast
import HoldfastConformance
import Testing

/// The pinning fixtures, which live outside of the repository: a chain, anchors, pins, and the
/// right answer for each.
@Suite("Pinning fixtures") struct PinningFixtureTests {
  private static let folder = ["pinning-fixtures", "second/pinning-fixtures"].compactMap {
    VectorSuites.path(ofFile: "\($0)/manifest.json")
  }.first.map { String($0.dropLast("/manifest.json".count)) }

  private static let absence: Comment =
    "ABSENT: pinning-fixtures (looked in \(VectorSuites.folders.joined(separator: ", ")))"

  private struct Fixture: Decodable {
    let host: String
    let at: String
    let pins: [Expected]
    let correct: String

    struct Expected: Decodable {
      let pin: String
      let certSHA256: String
    }
  }

  /// The certificates of one folder, in the order of the names of its files.
  private static func certificates(_ path: String) throws -> [Certificate] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    return try names.flatMap { try Certificate.certificates(inFile: "\(path)/\($0)") }
  }

  /// What becomes of a fixture, in the words of the manifest.
  private static func answer(
    _ fixture: Fixture, in folder: String, pinsAreAnchors: Bool = false,
    _ rules: ValidationRules = .webPKI
  ) throws -> String {
    let presented = try certificates("\(folder)/presented")
    let anchors = AnchorSet(try certificates("\(folder)/anchors"))
    let pins = try fixture.pins.map { expected in
      let made = presented.map { Pin(keyOf: $0) }
      return try made.first { try $0 == Pin(expected.pin) } ?? Pin(expected.pin)
    }
    let set =
      pins.isEmpty
      ? nil
      : try PinSet(pins, anchoring: pinsAreAnchors ? .pinsOnly : .manager, backup: .waived)
    let table = try PinTable(set.map { [.init(try HostPattern(fixture.host), $0)] } ?? [])
    let manager = TrustManager(
      pins: table, anchors: anchors, rules: rules, otherHosts: set == nil ? .validate : .reject)
    let time = try #require(Timestamp(fixture.at.replacingOccurrences(of: "+00:00", with: "Z")))
    do throws(TrustError) {
      _ = try manager.evaluate(presented, host: fixture.host, at: time)
      return "accept"
    } catch {
      switch error {
      case .pinMismatch: return "reject:pinMismatch"
      case .invalidPath(let error):
        switch error.rejections.first?.rule {
        case .hostName: return "reject:hostnameMismatch"
        case .expired: return "reject:expired"
        case .untrustedRoot: return "reject:untrusted"
        case .weakKey: return "policy: weak key"
        case .pathLength: return "reject:chainInvalid"
        case let rule: return "reject: \(rule.map { "\($0)" } ?? "-")"
        }
      default: return "reject: \(error)"
      }
    }
  }

  @Test(
    "each of the 28 fixtures has its right answer",
    .enabled(if: folder != nil, absence))
  func all() throws {
    let folder = try #require(Self.folder)
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/manifest.json"))
    let fixtures = try JSONDecoder().decode([String: Fixture].self, from: data)
    #expect(fixtures.count == 28)
    for (name, fixture) in fixtures.sorted(by: { $0.key < $1.key }) {
      let path = "\(folder)/\(name)"
      let answer = try Self.answer(fixture, in: path)
      switch fixture.correct {
      case "reject:untrusted unless pins are anchors":
        #expect(answer == "reject:untrusted", "\(name)")
        #expect(try Self.answer(fixture, in: path, pinsAreAnchors: true) == "accept", "\(name)")
      case "accept if any valid path may satisfy the pin":
        #expect(answer == "accept", "\(name)")
      case "policy: weak key":
        #expect(answer == fixture.correct, "\(name)")
        var rules = ValidationRules.webPKI
        rules.signatures.minimumRSABits = 1024
        #expect(try Self.answer(fixture, in: path, rules) == "accept", "\(name)")
      default: #expect(answer == fixture.correct, "\(name)")
      }
    }
  }
}
