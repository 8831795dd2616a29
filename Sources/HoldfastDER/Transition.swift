// Former names, until every module has the new ones.
/// The former name of `Bytes`.
public typealias Octets = Bytes
package typealias DERCursor = DERReader

extension PEMBlock {
  package var octets: [UInt8] { bytes }
  package static func text(label: String, octets: some Collection<UInt8>) -> String {
    text(label: label, bytes: octets)
  }
}

extension Base64 {
  package static func octets(of text: Span<UInt8>) -> [UInt8]? { bytes(of: text) }
  package static func octets(of text: some Collection<UInt8>) -> [UInt8]? { bytes(of: text) }
}

extension DERBitString { package var octets: Bytes { bytes } }

extension PEMError { package var words: String { message } }

extension PEMText {
  package static var largestText: Int { maximumSize }
  package static var mostBlocks: Int { maximumBlocks }
}

extension Platform.FileError { package var words: String { message } }
