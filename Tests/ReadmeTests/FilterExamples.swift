import Holdfast
import Testing

// The examples of the article about revocation filters, word for word.

private func fromUpki(_ presented: [Certificate]) throws {
  let validator = PathValidator(anchors: try .system(), revocation: try .upkiCache())
  let path = try validator.validate(presented, for: .server("example.com"))
  _ = path
}

private func fromFiles(_ crls: [CRL]) throws -> Revocation {
  let base = try Clubcard(file: "20261120-0-default.filter")
  let delta = try Clubcard(file: "20261120-1-default.filter.delta")
  let revocation = Revocation(
    .required(of: .leaf), crls: crls, filters: [RevocationFilter(base: base, deltas: [delta])])
  return revocation
}

private func answer(
  _ filter: RevocationFilter, _ certificate: Certificate, _ issuer: Certificate
) {
  switch filter.answer(certificate, issuerKey: issuer.publicKey) {
  case .revoked: print("revoked")
  case .good: print("not revoked")
  case .notCovered(let reason): print("not covered: \(reason)")
  case .notEnrolled: print("of a CA that the filter does not know")
  @unknown default: break
  }
}

private func problems() throws {
  let cache = try UpkiCache()
  for problem in cache.problems { print(problem) }
  for coverage in cache.filters.flatMap(\.cards).flatMap(\.coverage) {
    print(coverage.log, coverage.first, coverage.last)
  }
}

@Suite("Examples of filters") struct FilterExampleTests {
  @Test("a filter whose files are not there is an error that names the file")
  func missing() {
    let error = #expect(throws: FilterError.self) { try fromFiles([]) }
    #expect(error?.file == "20261120-0-default.filter")
  }
}
