import Foundation

/// All of standard input.
func standardInput() -> String {
  String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
}

/// The text of a file.
func text(ofFile path: String) throws -> String {
  try String(contentsOfFile: path, encoding: .utf8)
}

/// Ends the program.
func exit(with status: Int32) {
  Foundation.exit(status)
}
