package import Holdfast
internal import HoldfastJSON
@_spi(MerkleTrees) internal import HoldfastPaths

/// What the proof of a certificate in a Merkle tree says. Nothing of it is verified here.
///
/// In JSON a certificate with a proof has `merkleTreeProof`: `draft`, `log` and `entry` (null if the
/// serial number has none), `start` and `end` (of the subtree), `hashes` (their number), `cosigners`
/// (their IDs); or only `problem`. It is experimental, as the drafts are.
package struct MerkleTreeReport {
  private let entry: MerkleTreeEntry?
  private let proof: Result<MerkleTreeProof, MerkleTreeProofError>

  /// The report on a certificate; nil if it has a signature instead.
  package init?(_ certificate: Certificate) {
    guard certificate.signatureAlgorithm.oid == .merkleTreeProof else { return nil }
    entry = MerkleTreeEntry(certificate.serialNumber)
    proof = Result { () throws(MerkleTreeProofError) in try MerkleTreeProof(of: certificate) }
  }

  package var document: Document {
    var document = Document()
    switch proof {
    case .success(let proof):
      document.add("draft", proof.draft.rawValue)
      document.add("log", entry.map { Int($0.log) })
      // Numbers of entries have 48 bits, more than an Int may.
      document.add("entry", entry.map { JSONValue.number("\($0.index)") })
      document.add("start", JSONValue.number("\(proof.start)"))
      document.add("end", JSONValue.number("\(proof.end)"))
      document.add("hashes", proof.hashCount)
      document.add("cosigners", proof.cosignatures.map { $0.cosignerName })
      document.add("proof", nil, text)
    case .failure(let error):
      document.add("proof", "problem", error.description)
    }
    return document
  }

  /// `entry 10 of log 1, among the entries 8 to 16, by 3 hashes and the cosignatures of 32473.1`.
  package var text: String {
    switch proof {
    case .failure(let error): return error.description
    case .success(let proof):
      let place = entry.map { "entry \($0.index) of log \($0.log)" } ?? "no entry"
      let names = proof.cosignatures.map { $0.cosignerName }.joined(separator: ", ")
      return "\(place) of a Merkle tree, among the entries \(proof.start) to \(proof.end), by "
        + "\(proof.hashCount) hash\(proof.hashCount == 1 ? "" : "es") and "
        + (names.isEmpty ? "no cosignatures" : "cosignatures of \(names)")
        + ", draft -\(proof.draft.rawValue)"
    }
  }
}
