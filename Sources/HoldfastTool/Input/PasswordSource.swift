internal import HoldfastAnswers
internal import HoldfastCertificates
internal import HoldfastIdentities
internal import HoldfastSystem

/// Where the password of a file comes from: another file, the environment, or the terminal.
struct PasswordSource: Sendable {
  /// The password of the command line; nil if none was given.
  let given: String?
  /// What opening a container or a key may cost.
  let options: IdentityOptions
  private let mayAsk: Bool

  /// The options that tell a password. It is never an argument: those are visible to every process.
  static let options = OptionGroup("passwords", [file, variable])
  static let file: Option<String?> = .file(
    "--password-file", "the password of a PKCS #12 file or key: the first line of FILE")
  static let variable: Option<String?> = .text(
    "--password-env", "VARIABLE", "the same from the environment; asked on the terminal otherwise")

  /// What only commands about keys take.
  static let iterations: Option<Int?> = .number(
    "--iterations", "the maximum number of iterations of one key derivation: 10000000")

  /// The source that a command line names.
  init(_ call: Invocation) throws(UsageError) {
    try call.checkOne(of: PasswordSource.options.options)
    if let file = call[PasswordSource.file] {
      given = try PasswordSource.firstLine(of: file)
    } else if let variable = call[PasswordSource.variable] {
      guard let value = Platform.variable(variable) else {
        throw .badValue(
          option: "--password-env", value: variable, expected: "a variable that is set")
      }
      given = value
    } else {
      given = nil
    }
    options =
      call[PasswordSource.iterations].map { IdentityOptions(maximumIterations: $0) }
      ?? IdentityOptions()
    mayAsk = given == nil && !call.console.isCaptured
  }

  private static func firstLine(of path: String) throws(UsageError) -> String {
    var line = try Invocation.contents(of: path, limit: 1 << 16).prefix { $0 != 0x0A }
    if line.last == 0x0D { line.removeLast() }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw .badValue(option: "--password-file", value: path, expected: "UTF-8 text")
    }
    return text
  }

  /// The password of a file: that of the command line, or the answer on the terminal.
  func password(of name: String) -> String? {
    if let given { return given }
    return mayAsk ? Secrets.ask("Password of \(printable(word: name)): ") : nil
  }

  /// The same if one of some texts, in PEM or DER, has an encrypted key.
  func password(of name: String, ifNeededFor texts: [[UInt8]]) -> String? {
    let isNeeded = texts.contains { text in
      guard PEMText.isLikely(text) else { return DERContent(text) == .encryptedPrivateKey }
      return PEMText(text, labels: []).others.contains {
        DERContent(label: $0.label) == .encryptedPrivateKey
      }
    }
    return isNeeded ? password(of: name) : nil
  }
}
