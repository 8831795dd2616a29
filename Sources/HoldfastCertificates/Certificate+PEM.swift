internal import HoldfastDER

extension Certificate {
  /// The labels under which RFC 7468 §5 and older tools write certificates.
  package static let labels = ["CERTIFICATE", "X509 CERTIFICATE"]

  /// Reads the one certificate in a PEM text. RFC 7468 §5.
  public init(pem text: String) throws(CertificateError) {
    let all = try Certificate.certificates(inPEM: text)
    guard let first = all.first, all.count == 1 else {
      throw CertificateError(.certificate, .notSingle(count: all.count), at: 0)
    }
    self = first
  }

  /// Reads all certificates in a PEM text, in their order; blocks of other kinds are passed over.
  ///
  /// Throws at the first that cannot be read, or if there is none. `CertificateBundle` keeps those
  /// that can.
  public static func certificates(
    inPEM text: String
  ) throws(CertificateError) -> [Certificate] {
    let bundle = CertificateBundle(Array(text.utf8))
    if let error = bundle.errors.first { throw error }
    return bundle.certificates
  }

  /// The certificate as PEM. RFC 7468 §5.
  public var pem: String { PEMBlock.text(label: "CERTIFICATE", octets: der) }
}

/// The certificates of a file, PEM or DER, and what was wrong with the rest.
///
/// A bad certificate in a bundle does not take the good ones with it.
public struct CertificateBundle: Sendable {
  /// What could be read, in the order of the file.
  public private(set) var certificates: [Certificate] = []

  /// What could not be read, in the order of the file, each with its block and line.
  public private(set) var errors: [CertificateError] = []

  /// Reads the octets of a file: a PEM text, one certificate in DER, or several one after another.
  public init(_ octets: [UInt8], largest: Int = Certificate.largestByDefault) {
    if octets.first == DERTag.sequence.rawValue, !PEMText.isLikely(octets) {
      readDER(octets, largest)
    } else {
      readPEM(octets, largest)
    }
  }

  private mutating func readPEM(_ octets: [UInt8], _ largest: Int) {
    let text = PEMText(octets, labels: Certificate.labels)
    certificates.reserveCapacity(text.blocks.count)
    var untold = text.errors[...]
    for block in text.blocks {
      // By number: a block that the next BEGIN cuts off is found to be bad on the line of that.
      while let next = untold.first, next.block < block.number {
        errors.append(CertificateError(untold.removeFirst()))
      }
      do throws(CertificateError) {
        certificates.append(try Certificate(der: block.octets, largest: largest))
      } catch {
        var error = error
        error.block = PEMPlace(block: block.number, line: block.line)
        errors.append(error)
      }
    }
    errors += untold.map { CertificateError($0) }
    if certificates.isEmpty && errors.isEmpty {
      errors.append(CertificateError(PEMError(problem: .noBlock, block: 0, line: 1)))
    }
  }

  private static let mostErrors = 1000

  private mutating func readDER(_ octets: [UInt8], _ largest: Int) {
    var reader = DERReader(octets)
    while !reader.isAtEnd {
      let start = reader.offset
      // No file needs more; a hostile one must not fill the memory with errors.
      guard errors.count < CertificateBundle.mostErrors else {
        errors.append(
          CertificateError(
            .certificate, .der(.tooMany(limit: CertificateBundle.mostErrors)), at: start))
        return
      }
      do throws(CertificateError) {
        let element: Octets
        do throws(DERError) {
          element = try reader.readWhole(.sequence)
        } catch {
          errors.append(CertificateError(.certificate, error))
          return
        }
        certificates.append(try Certificate(der: element.array, largest: largest))
      } catch {
        errors.append(error.moved(by: start))
      }
    }
  }
}

extension CertificateError {
  /// The same error in a file that has other octets before the certificate.
  fileprivate func moved(by distance: Int) -> CertificateError {
    CertificateError(field, problem, at: offset + distance)
  }
}
