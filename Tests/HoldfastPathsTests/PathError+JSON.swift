import HoldfastPaths

@testable import HoldfastTool

extension PathError {
  /// What `batch` says of it: unlike those of `verify`, its hints name no options.
  var json: String {
    var writer = AnswerWriter()
    writer.write(Answer(self, Answer.Input(line: 1, purpose: purpose, time: time)))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
