import Holdfast

func isTrusted(
  _ presented: [[UInt8]], host: String, staple: [UInt8]?, _ manager: TrustManager
) throws(TrustError) -> Verdict {
  try manager.evaluate(der: presented, host: host, staple: staple)
}

private func decide(
  _ presented: [[UInt8]], _ host: String, _ staple: [UInt8]?, _ manager: TrustManager
)
  throws -> Verdict
{
  let verdict = try manager.evaluate(der: presented, host: host, staple: staple)
  return verdict
}
