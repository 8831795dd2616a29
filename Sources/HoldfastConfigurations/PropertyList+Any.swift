// A file of its own, because Embedded Swift, which has no values of any type, compiles the others.
extension PropertyList {
  /// Creates a value from a Swift dictionary, array, string, boolean or integer; anything else in it
  /// is an error.
  public init(any value: Any) throws(ConfigurationError) {
    try self.init(any: value, at: "")
  }

  private init(any value: Any, at key: String) throws(ConfigurationError) {
    switch value {
    case let value as PropertyList: self = value
    case let value as Bool: self.init(.bool(value))
    case let value as Int: self.init(.integer(value))
    case let value as String: self.init(.string(value))
    case let value as [Any]:
      var values: [PropertyList] = []
      for value in value { values.append(try PropertyList(any: value, at: key)) }
      self.init(.array(values))
    case let value as [String: Any]:
      var members: [Member] = []
      for (name, value) in value.sorted(by: { $0.key < $1.key }) {
        let value = try PropertyList(any: value, at: key.isEmpty ? name : "\(key).\(name)")
        members.append(Member(key: name, value: value, line: nil))
      }
      self.init(.dictionary(members))
    default:
      let expected = "a dictionary, an array, a string, a boolean or an integer"
      throw ConfigurationError(
        .wrongKind(found: "\(type(of: value))", expected: expected), key: key)
    }
  }
}
