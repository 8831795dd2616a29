/// An error of this library. All its public errors conform.
///
/// `description` tells an engineer what was found, where, and which document forbids it; `logLine` is
/// the first of it on one line, with the host. `summary` can be shown to the people who use a program:
///
/// ```swift
/// print((error as? any HoldfastError)?.summary ?? "No secure connection could be made.")
/// ```
public protocol HoldfastError: Error, Loggable {
  /// What is wrong, in one plain sentence.
  var summary: String { get }
}

extension DERError: HoldfastError {
  /// What is wrong, in one plain sentence.
  public var summary: String { "The data is damaged or of another kind." }
}

extension PEMError: HoldfastError {
  /// What is wrong, in one plain sentence.
  public var summary: String {
    switch problem {
    case .noBlock: "The text has nothing of the expected kind."
    case .tooLarge, .tooManyBlocks: "The text is too large."
    case .missingEnd, .missingBegin, .labelMismatch, .badBoundary, .headers, .badCharacter,
      .badPadding, .nonZeroPadBits, .emptyBlock:
      "The text is damaged."
    }
  }
}
