internal import Holdfast

/// The entries of data tiles.
extension BatchValidator {
  /// Answers each entry of a tile: as a server of any name, with the issuers that the log names.
  mutating func answerEntries(
    of tile: DataTileName, _ piece: BatchPiece, _ output: inout BatchOutput
  ) {
    var reader = DataTileReader(piece.text, of: tile)
    while let result = reader.next() {
      switch result {
      case .success(let entry): answer(entry, piece, &output)
      case .failure(let error):
        var subject = Subject(number: error.entry + 1, file: piece.file)
        subject.id = Array("\(tile.firstEntry + error.entry)".utf8)
        write(.unreadable(line: subject.number, "\(error)"), subject, &output)
      }
    }
  }

  private mutating func answer(
    _ entry: DataTileEntry, _ piece: BatchPiece, _ output: inout BatchOutput
  ) {
    guard isInSample(piece.text, entry.certificate.range) else { return }
    var subject = Subject(
      number: entry.index % DataTileName.fullWidth + 1, file: piece.file)
    subject.id = Array("\(entry.index)".utf8)
    do throws(ParseError) {
      // A copy, so that what is kept of the certificate does not keep the tile.
      let leaf = try Certificate(der: Array(piece.text[entry.certificate.range]))
      subject.leaf = leaf
      if settings.isListing { return list(leaf, subject, &output) }
      write(answer(leaf, entry, subject), subject, &output)
    } catch {
      let problem = InputProblem(
        error, at: InputLocation(file: "\(piece.file ?? ""), entry \(subject.number - 1)"))
      write(.unreadable(line: subject.number, "\(problem)"), subject, &output)
    }
  }

  private mutating func answer(
    _ leaf: Certificate, _ entry: DataTileEntry, _ subject: Subject
  ) -> Answer {
    var (chain, problems): ([Certificate], [InputProblem]) = ([leaf], [])
    for fingerprint in entry.issuerFingerprints {
      switch logIssuers?.issuer(fingerprint) {
      case .success(let issuer): chain.append(issuer)
      case .failure(var problem):
        problem.certificate?.number = chain.count + problems.count + 1
        problems.append(problem)
      case nil: break
      }
    }
    let isPrecertificate = entry.isPrecertificate
    let none: [UInt8] = []
    do throws(Unanswerable) {
      var answer = try validate(
        chain, .anyServer, problems, BatchRequest(), subject.number, none.span,
        isPrecertificate: isPrecertificate)
      if isPrecertificate, answer.isTrusted {
        answer.reason += ", as a precertificate: apart from its poison"
      }
      return answer
    } catch {
      return .unreadable(line: subject.number, error.problem)
    }
  }
}

/// The issuers of a log, by their fingerprints: `issuer/<SHA-256>`. Each is read once.
struct LogIssuers {
  private let folder: String
  private var known: [[UInt8]: Result<Certificate, InputProblem>] = [:]
  private static let maximumIssuers = 4096

  init(folder: String) {
    self.folder = folder
  }

  /// The certificate with a fingerprint, or why there is none.
  mutating func issuer(_ fingerprint: [UInt8]) -> Result<Certificate, InputProblem> {
    if let known = known[fingerprint] { return known }
    let issuer = read("issuer/\(Hexadecimal.text(of: fingerprint))", fingerprint)
    if known.count >= LogIssuers.maximumIssuers { known = [:] }
    known[fingerprint] = issuer
    return issuer
  }

  private func read(
    _ name: String, _ fingerprint: [UInt8]
  ) -> Result<Certificate, InputProblem> {
    let location = InputLocation(file: name)
    let der: [UInt8]
    do throws(Platform.FileError) {
      der = try Platform.readFile("\(folder)/\(name)", limit: Certificate.maximumSize)
    } catch {
      return .failure(InputProblem(location: location, problem: error.message))
    }
    guard HashAlgorithm.sha256.hash(der).array == fingerprint else {
      return .failure(
        InputProblem(location: location, problem: "its SHA-256 is not its name"))
    }
    do throws(ParseError) {
      return .success(try Certificate(der: der))
    } catch {
      return .failure(InputProblem(error, at: location, reading: der))
    }
  }
}
