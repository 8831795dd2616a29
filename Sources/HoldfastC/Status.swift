/// What a call comes to, by the numbers of `holdfast.h`.
enum Status: Int32, Sendable {
  case ok = 0
  case badArgument = 1
  case badObject = 2
  case badText = 3
  case tooLarge = 4
  case notUsable = 5
  case frozen = 6
  case broken = 7
  case tooMany = 8

  /// The name of the constant in the header.
  var name: StaticString {
    switch self {
    case .ok: "HOLDFAST_OK"
    case .badArgument: "HOLDFAST_BAD_ARGUMENT"
    case .badObject: "HOLDFAST_BAD_OBJECT"
    case .badText: "HOLDFAST_BAD_TEXT"
    case .tooLarge: "HOLDFAST_TOO_LARGE"
    case .notUsable: "HOLDFAST_NOT_USABLE"
    case .frozen: "HOLDFAST_FROZEN"
    case .broken: "HOLDFAST_BROKEN"
    case .tooMany: "HOLDFAST_TOO_MANY"
    }
  }
}

/// Why a call failed: its status, and a sentence.
struct Problem: Error {
  let status: Status
  let text: String

  init(_ status: Status, _ text: String) {
    self.status = status
    self.text = text
  }
}
