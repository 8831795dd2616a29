/// Whether an input must be accepted or refused.
public enum ExpectedVerdict: String, Sendable, Decodable {
  /// The input must be accepted.
  case accept
  /// The input must be refused.
  case reject
}

/// The envelope that the suites in one JSON document share: `{…, "count": n, "tests": […]}`.
struct SuiteDocument<Case: Decodable>: Decodable {
  let count: Int
  let tests: [Case]
}

extension SuiteDocument {
  /// Reads a suite; the number of its cases must be the one that it states.
  static func load(_ suite: String) throws(VectorError) -> [Case] {
    let file = try VectorSuites.suite(named: suite)
    let document = try file.decode(SuiteDocument.self)
    guard document.tests.count == document.count else {
      throw .malformed(
        path: file.path, reason: "\(document.tests.count) cases, it says \(document.count)")
    }
    return document.tests
  }
}
