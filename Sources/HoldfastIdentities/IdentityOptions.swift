/// The options for opening a file.
public struct IdentityOptions: Sendable, Hashable {
  /// The maximum number of iterations of one key derivation; all derivations of a file together may
  /// have four times as many.
  ///
  /// A derivation runs its iterations once for each block of output, and each run counts: a key of
  /// 32 bytes by HMAC-SHA-1 counts twice. For scrypt an iteration is the mixing of a block of 64
  /// bytes: 4 · N · r · p. Files with ten million iterations exist; they take seconds.
  public var maximumIterations: Int

  /// Whether a PKCS #12 file without a MAC is rejected. Without a MAC, its certificates could come
  /// from anywhere.
  public var requiresAuthentication: Bool

  /// Creates the options; by default at most ten million iterations, and files without a MAC are
  /// read.
  ///
  /// - Parameter maximumIterations: The limit of one key derivation; all derivations of a file
  ///   together may have four times as many.
  public init(maximumIterations: Int = 10_000_000, requiresAuthentication: Bool = false) {
    self.maximumIterations = maximumIterations
    self.requiresAuthentication = requiresAuthentication
  }

  /// The maximum number of bytes that a file may have.
  package static let maximumFileSize = 16 << 20

  /// The maximum number of entries that a file may have.
  package static let maximumBags = 10_000

  /// How deep bags may be nested.
  package static let maximumBagDepth = 16

  /// The maximum number of bytes of memory for scrypt.
  package static let maximumScryptMemory = 256 << 20

  static func check(size: Int) throws(IdentityError) {
    guard size <= maximumFileSize else {
      throw IdentityError(.limit(.fileSize(found: size, maximum: maximumFileSize)))
    }
  }
}

/// The work that is left for opening a file. Each key derivation is charged before it runs.
struct WorkBudget {
  private let maximumIterations: Int
  private var spent = 0

  init(_ options: IdentityOptions) {
    // Leaves room for the multiplication by four.
    maximumIterations = min(max(options.maximumIterations, 0), Int.max / 8)
  }

  mutating func pay(_ iterations: Int) throws(IdentityError) {
    guard iterations <= maximumIterations else {
      throw IdentityError(.limit(.iterations(found: iterations, maximum: maximumIterations)))
    }
    spent += iterations
    guard spent <= 4 * maximumIterations else {
      throw IdentityError(.limit(.totalIterations(found: spent, maximum: 4 * maximumIterations)))
    }
  }
}
