import HoldfastPaths

@testable import HoldfastTool

extension PathError {
  /// What `verify --json` says of it.
  var json: String {
    var writer = AnswerWriter()
    writer.write(Answer(self, Answer.Input(purpose: purpose, time: time)))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
