internal import HoldfastBase
internal import HoldfastCertificates
internal import HoldfastPaths

/// Reads and validates the chain of a folder, once for each line of standard input, as Embedded
/// Swift, for `Benchmarks/arm64/gate`, which counts the instructions of a line.
///
/// The arguments are a host, a time in seconds, the folder, and what is prepared: `cold`, the
/// anchor's key; `new-leaf`, also the signature on the intermediate; `warm`, all signatures.
@_cdecl("main")
func main(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  let words = (1..<max(Int(count), 1)).compactMap { arguments[$0].map { String(cString: $0) } }
  guard words.count == 4, let seconds = Int64(words[1]),
    let purpose = try? Purpose.server(words[0]),
    let root = certificates("\(words[2])/root.der").first,
    let intermediate = certificates("\(words[2])/intermediate.der").first,
    let lines = try? Platform.readFile("-", limit: 1 << 20)
  else { return 2 }
  let leaves = certificates("\(words[2])/\(words[3] == "new-leaf" ? "leaves" : "leaf").der")
  guard !leaves.isEmpty else { return 2 }
  let anchors = AnchorSet([root])
  anchors.prepareKeys()
  // So small that a leaf is evicted before it comes again; entries that are used each time are kept.
  let cache = words[3] == "cold" ? nil : SignatureCache(capacity: 8)
  let validator = PathValidator(anchors: anchors, cache: cache)
  let time = Timestamp(secondsSince1970: seconds)
  var trusted = 0
  for turn in 0..<lines.count(where: { $0 == 0x0A }) {
    let sent = [leaves[turn % leaves.count].der, intermediate.der]
    let chain = sent.compactMap { try? Certificate(der: $0) }
    if (try? validator.validate(chain, for: purpose, at: time)) != nil { trusted += 1 }
  }
  print("\(trusted) trusted")
  return trusted > 0 ? 0 : 1
}

/// The concatenated certificates of a file; none if it cannot be read.
private func certificates(_ path: String) -> [Certificate] {
  CertificateBundle((try? Platform.readFile(path, limit: 1 << 20)) ?? []).certificates
}
