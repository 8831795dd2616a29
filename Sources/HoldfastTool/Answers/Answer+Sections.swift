internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastConfigurations
internal import HoldfastJSON

/// The sections of answers of commands.
final class CommandSections: AnswerSections {
  /// The handshake and what was sent in it; nil for certificates of files.
  let connection: Answer.Connection?
  /// What was received; nil of all but `get`.
  let response: Answer.Response?
  /// How the pins of a configuration will do; nil of all but `pins simulate`.
  let forecast: PinForecast?

  init(_ connection: Answer.Connection?, _ response: Answer.Response?, _ forecast: PinForecast?) {
    self.connection = connection
    self.response = response
    self.forecast = forecast
  }

  var unchecked: [String]? { forecast?.unchecked }

  func members(of answer: Answer) -> [JSONValue.Member] {
    var document = Document()
    if let connection {
      document.add("connection", connection.document(at: answer.input.time ?? .now))
    }
    if let response { document.add("response", response.json) }
    if let forecast { document.add("forecast", forecast.json) }
    return document.members
  }
}

extension Answer {
  private var own: CommandSections? { sections as? CommandSections }

  /// The handshake and what was sent in it; nil for certificates of files.
  var connection: Connection? {
    get { own?.connection }
    set { sections = CommandSections(newValue, response, forecast) }
  }

  /// What was received; nil of all but `get`.
  var response: Response? {
    get { own?.response }
    set { sections = CommandSections(connection, newValue, forecast) }
  }

  /// How the pins of a configuration will do; nil of all but `pins simulate`.
  var forecast: PinForecast? {
    get { own?.forecast }
    set { sections = CommandSections(connection, response, newValue) }
  }

  /// What a server has answered to a request.
  struct Response: Sendable {
    let status: Int
    let version: String
    /// What was requested last, after redirects.
    let url: String
    /// The number of bytes of the body that were received; nil of a page about an error, which is
    /// not read.
    let size: Int?

    /// `https://example.com/: 200 HTTP/1.1, 5 bytes`.
    var line: Line {
      let read = size.map { ", \($0) byte\($0 == 1 ? "" : "s")" } ?? ""
      return "\(url): \(status) \(version)\(read)"
    }
  }
}

extension Answer.Response {
  fileprivate var json: JSONValue {
    .object([
      "url": .string(url), "status": .number(status), "version": .string(version),
      "size": .optional(size),
    ])
  }
}

extension PinForecast {
  fileprivate var json: JSONValue {
    .object([
      "periods": .array(
        periods.map { period in
          .object([
            "from": .string("\(period.start)"), "state": .string(period.state.rawValue),
            "message": .string(period.message),
          ])
        }),
      "rejectedChains": .array(
        rejectedChains.map { chain in
          .object([
            "chain": .number(chain.index + 1), "from": .string("\(chain.start)"),
            "message": .string(chain.message),
          ])
        }),
      "lockout": .optional(lockout.map { "\($0)" }),
      "lockoutEnd": .optional(lockoutEnd.map { "\($0)" }),
      "replacements": .array(
        replacements.map { replacement in
          .object([
            "role": .string("\(replacement.scope)"), "name": .string(replacement.name),
            "survived": .bool(replacement.isSurvived),
          ])
        }),
    ])
  }
}
