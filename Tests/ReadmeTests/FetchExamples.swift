import Holdfast
import HoldfastOnline

// The examples of the article about fetching, word for word.

private func completed(
  _ chain: [Certificate], _ validator: PathValidator, _ fetcher: any Fetching
) async throws -> ValidatedPath {
  let online = OnlineValidator(validator, fetching: fetcher)
  let question = Question(chain, for: try .server("example.com"))
  let answer = await online.answer(to: question)
  for report in answer.fetches { print(report) }
  let path = try answer.path
  return path
}

private func stapled(
  _ chain: [Certificate], _ validator: PathValidator, _ fetcher: any Fetching
) async throws {
  let source = StapleSource(for: chain, validator: validator, fetching: fetcher)
  try await source.refresh()
  try source.write(toFile: "/etc/nginx/staple.der")
}

private func shared(
  _ validator: PathValidator, _ otherAnchors: AnchorSet, _ fetcher: any Fetching
) -> (OnlineValidator, OnlineValidator) {
  var policy = FetchPolicy([.issuers, .crl])
  policy.hostInterval = .milliseconds(250)
  let online = OnlineValidator(validator, fetching: fetcher, policy: policy)
  let other = online.with(PathValidator(anchors: otherAnchors))
  return (online, other)
}

private func tested(_ fetcher: any Fetching) async throws -> FetchResponse {
  let url = try FetchURL("http://ca.example/issuer.crt")
  let response = try await fetcher.fetch(FetchRequest(.issuers, url))
  return response
}
