internal import HoldfastSystem

extension Command {
  /// The commands, in the order in which help lists them.
  static let all: [Command] = [
    verifyCommand, connectCommand, getCommand, inspectCommand, convertCommand, pinCommand,
    pinsCommand, rootsCommand, lintCommand, graphCommand, fetchCommand, batchCommand,
    generateCommand,
  ]

  /// `inspect` for the name of a file, `connect` for that of a host; nil for any other word.
  static func forFileOrHost(_ word: String) -> Command? {
    if System.exists(word) { return inspectCommand }
    return ConnectTarget(likely: word) == nil ? nil : connectCommand
  }
}
