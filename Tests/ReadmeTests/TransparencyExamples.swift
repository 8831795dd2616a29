import Holdfast
@_spi(MerkleTrees) import HoldfastTransparency

// The examples of the articles about transparency, word for word.

private func evaluate(
  _ validator: PathValidator, _ presented: [Certificate], _ logList: [UInt8],
  _ timestamps: [UInt8]?, _ staple: OCSPResponse?
) throws {
  let list = try LogList(json: logList)
  let evaluator = TransparencyEvaluator(list: list, policy: .chrome)
  let path = try validator.validate(presented, for: .server("example.com"))
  let report = evaluator.evaluate(path, tls: timestamps, ocsp: staple)
  print(report.summary)  // Complies with chrome: 3 of 3 timestamps count.
  for result in report.results { print(result) }
}

private func signed(_ logList: [UInt8], _ signature: [UInt8], _ publisher: PublicKey) throws {
  let signed = try LogList(json: logList, signature: signature, key: publisher)
  for problem in signed.problems { print(problem) }
}

private func trusted(
  _ logList: [UInt8], _ pins: PinTable, _ chain: [[UInt8]], _ staple: [UInt8]?,
  _ timestamps: [UInt8]?
) throws {
  let list = try LogList(json: logList)
  let manager = TrustManager(
    pins: pins, anchors: try .system(), transparency: .requireHardFail(list, .chrome))
  let verdict = try manager.evaluate(
    der: chain, host: "api.example.com", staple: staple, timestamps: timestamps)
  print(verdict.transparency?.summary ?? "not looked at")
}

private func validate(_ presented: [Certificate]) throws {
  let trust = try MerkleTrust(file: "trees.json")
  let validator = PathValidator(anchors: AnchorSet(trust.anchors))
  let path = try validator.validate(presented, for: .server("example.com"))
  print(path)
}
