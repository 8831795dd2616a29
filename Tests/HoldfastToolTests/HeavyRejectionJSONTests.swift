import Foundation
import HoldfastAnswers
import HoldfastCertificates
import HoldfastConformance
import HoldfastPaths
import TestSupport
import Testing

@testable import HoldfastTool

/// What programs read of rejections, whatever the certificates say.
@Suite("The JSON of rejections") struct HeavyRejectionJSONTests {
  /// What `batch` says of it: unlike those of `verify`, its hints name no options.
  private func json(_ error: PathError) -> String {
    Answer(error, Answer.Input(line: 1, purpose: error.purpose, time: error.time)).json
  }

  /// What is wrong with the JSON of an error, if anything is.
  private func complaints(_ error: PathError) throws -> [String] {
    var complaints: [String] = []
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json(error).utf8)) as? [String: Any])
    let rejections = try #require(object["rejections"] as? [[String: Any]])
    func agrees(_ key: String, _ facts: [String]) {
      let found = rejections.map { rejection in rejection[key].map { "\($0)" } ?? "" }
      if found != facts { complaints.append("\(key): \(found), not \(facts)") }
    }
    agrees("rule", error.rejections.map(\.rule.name))
    agrees("citation", error.rejections.map(\.violation.citation))
    agrees("index", error.rejections.map { "\($0.index)" })
    if object["hints"] as? [String] != error.hints.map({ "\($0)" }) { complaints.append("hints") }
    if object["omitted"] as? Int ?? 0 != error.omitted { complaints.append("omitted") }
    return complaints
  }

  /// Why a chain is rejected for the host of our own certificates; nil if it is not.
  private func error(
    _ chain: [Certificate], anchors: [Certificate], _ rules: ValidationRules = .webPKI
  ) -> PathError? {
    let validator = PathValidator(anchors: AnchorSet(anchors), rules: rules, cache: nil)
    do throws(PathError) {
      _ = try validator.validate(
        chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "limbo's rejections have the facts of the error",
    .enabled(if: VectorSuites.has("limbo"), "\(VectorSuites.absence(of: "limbo"))"))
  func limbo() throws {
    var (wrong, count): ([String], Int) = ([], 0)
    for test in try LimboCase.load() {
      func read(_ ders: [[UInt8]]) -> [Certificate] {
        ders.flatMap { CertificateBundle($0).certificates }
      }
      let chain = read([test.leaf]) + read(test.intermediates)
      guard let leaf = chain.first, leaf.der == test.leaf,
        let error = error(chain, anchors: read(test.anchors), test.isValid ? .webPKI : .strict)
      else { continue }
      count += 1
      wrong += try complaints(error).map { "\(test.id): \($0)" }
    }
    #expect(count > 1_000)
    #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(5))")
  }

  @Test("names of control characters and of other scripts leave it JSON with the same facts")
  func names() throws {
    for text in [
      String(repeating: "\u{1B}[31m\u{202E}", count: 2_000),
      String(repeating: "ж\u{0}\n", count: 3_000),
    ] {
      let leaf = try SignedCertificate.leaf(by: text, 2) { $0.subject = "CN=" + text }
      let error = try #require(error([leaf], anchors: [try SignedCertificate.root()]))
      #expect(try complaints(error) == [])
    }
  }

  @Test("a rejection of many certificates with long names stays short, and says which they are")
  func manyNames() throws {
    let long = String(repeating: "long name ", count: 300)
    let others = try (0..<66).map { number in
      try SignedCertificate.authority("Same", 300, by: "\(long)\(number)", 300)
    }
    let leaf = try SignedCertificate.leaf(by: "Same", 300) { $0.subject = "CN=\(long)" }
    let error = try #require(error([leaf] + others, anchors: [try SignedCertificate.root()]))
    let json = json(error)
    #expect(json.utf8.count < 100 << 10)
    let names = error.rejections.flatMap(\.path).map(\.sha256)
    #expect(names.count > 64 && names.allSatisfy { json.contains($0) })
    #expect(json.contains("\"issuer\":\"CN=long name long name ") && json.contains(" name...\""))
  }
}
