import Foundation
import HoldfastJSON

extension LogCase {
  /// Compares a value with what Foundation reads: the same strings and members.
  static func checkOtherReader(_ value: JSONValue, _ bytes: [UInt8]) {
    do {
      let other = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      precondition(isEqual(value, other), "another value: \(value) and \(other)")
    } catch {
      // Ours keeps a number as it is written, and Foundation has none beyond the range of a Double.
      precondition(hasNumber(value), "Foundation reads no value: \(error)")
    }
  }

  private static func hasNumber(_ value: JSONValue) -> Bool {
    switch value {
    case .number: true
    case .object(let members): members.contains { hasNumber($0.value) }
    case .array(let values): values.contains { hasNumber($0) }
    case .null, .bool, .string: false
    }
  }

  private static func isEqual(_ value: JSONValue, _ other: Any) -> Bool {
    switch value {
    case .object(let members):
      guard let object = other as? [String: Any] else { return false }
      return object.count == Set(members.map { $0.name }).count
        && members.allSatisfy { member in
          object[member.name].map { isEqual(member.value, $0) } ?? false
        }
    case .array(let values):
      guard let array = other as? [Any], array.count == values.count else { return false }
      return zip(values, array).allSatisfy { isEqual($0, $1) }
    case .string(let text): return other as? String == text
    case .bool(let flag): return other as? Bool == flag
    case .null: return other is NSNull
    case .number: return other is NSNumber
    }
  }
}
