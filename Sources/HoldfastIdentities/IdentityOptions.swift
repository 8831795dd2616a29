/// The options for opening a file.
public struct IdentityOptions: Sendable, Hashable {
  /// The most iterations of one key derivation; all derivations of a file together may have four
  /// times as many.
  ///
  /// A derivation runs its iterations once for each block of output, and each run counts: a key of
  /// 32 bytes by HMAC-SHA-1 counts twice. For scrypt an iteration is the mixing of a block of 64
  /// bytes: 4 · N · r · p. Files with ten million iterations exist; they take seconds.
  public var mostIterations: Int

  /// Whether a PKCS #12 file without a MAC is rejected. Without a MAC, its certificates could come
  /// from anywhere.
  public var requiresAuthentication: Bool

  /// Creates the options; by default at most ten million iterations, and files without a MAC are
  /// read.
  public init(mostIterations: Int = 10_000_000, requiresAuthentication: Bool = false) {
    self.mostIterations = mostIterations
    self.requiresAuthentication = requiresAuthentication
  }

  /// The most bytes that a file may have.
  public static let largestFile = 16 << 20

  /// The most entries that a file may have.
  public static let mostBags = 10_000

  /// How deep bags may be nested.
  public static let deepestBags = 16

  /// The most bytes of memory for scrypt.
  public static let largestScryptMemory = 256 << 20

  static func check(size: Int) throws(IdentityError) {
    guard size <= largestFile else {
      throw .limit(.fileSize(found: size, most: largestFile))
    }
  }
}

/// The work that is left for opening a file. Each key derivation is charged before it runs.
struct WorkBudget {
  private let mostIterations: Int
  private var spent = 0

  init(_ options: IdentityOptions) {
    // Leaves room for the multiplication by four.
    mostIterations = min(max(options.mostIterations, 0), Int.max / 8)
  }

  mutating func pay(_ iterations: Int) throws(IdentityError) {
    guard iterations <= mostIterations else {
      throw .limit(.iterations(found: iterations, most: mostIterations))
    }
    spent += iterations
    guard spent <= 4 * mostIterations else {
      throw .limit(.totalIterations(found: spent, most: 4 * mostIterations))
    }
  }
}
