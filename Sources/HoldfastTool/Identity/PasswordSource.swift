internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastSystem

/// Where the password of a file comes from: another file, the environment, or the terminal.
struct PasswordSource: Sendable {
  /// The password of the command line; nil if none was given.
  let given: String?
  private let mayAsk: Bool

  /// The options that tell a password. It is never an argument: those are visible to every process.
  static let options: [any CommandOption] = [file, variable]
  static let file: Option<String?> = .file(
    "--password-file", "the password of a PKCS #12 file or key: the first line of FILE")
  static let variable: Option<String?> = .text(
    "--password-env", "VARIABLE", "the same from the environment; asked on the terminal otherwise")

  private init(given: String?, mayAsk: Bool) {
    self.given = given
    self.mayAsk = mayAsk
  }

  /// The source that a command line names.
  init(_ call: Invocation) throws(UsageError) {
    switch (call[PasswordSource.file], call[PasswordSource.variable]) {
    case (nil, nil): self.init(given: nil, mayAsk: !call.console.isCaptured)
    case (_?, _?):
      throw .conflict("--password-file and --password-env cannot be used together")
    case (let file?, nil):
      self.init(given: try PasswordSource.firstLine(of: file), mayAsk: false)
    case (nil, let variable?):
      guard let value = Platform.variable(variable) else {
        throw .badValue(
          option: "--password-env", value: variable, expected: "a variable that is set")
      }
      self.init(given: value, mayAsk: false)
    }
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
    return mayAsk ? Secrets.ask("Password of \(printable(name)): ") : nil
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
