internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastOnline

/// What is fetched for the lines of a batch.
extension FetchQuestion {
  /// How many lines are answered at once, if the command line does not say: they wait for servers
  /// most of the time.
  static let batchThreads = 16

  /// Completes the chain and the revocation data of a line, and notes in its input what was asked,
  /// and at what time the answer had come.
  func complete(
    _ chain: inout [Certificate], _ unreadable: [UnreadableCertificate],
    _ revocation: inout Revocation?, _ input: inout Answer.Input,
    _ purpose: Purpose, _ time: Timestamp?, _ validator: PathValidator
  ) {
    var material = FetchedInput(
      chain, revocation, input.sources, unreadable: unreadable, at: time)
    material.fetch(self, purpose, validator)
    (chain, revocation) = (material.chain, material.revocation)
    input = input.with(material)
  }
}

extension BatchPiece {
  /// A piece for each line, so that one that waits for a server holds up no others.
  var lines: [BatchPiece] {
    guard case .lines = content else { return [self] }
    var lines: [BatchPiece] = []
    var start = text.startIndex
    while start < text.endIndex {
      let next = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.endIndex
      var place = end
      place.offset -= text.endIndex - next
      place.line = firstLine + lines.count + 1
      lines.append(
        BatchPiece(
          content: .lines, text: Array(text[start..<next]), count: 1,
          firstLine: firstLine + lines.count, file: file, end: place))
      start = next
    }
    return lines
  }
}
