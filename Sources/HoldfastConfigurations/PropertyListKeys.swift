/// The unread keys of a dictionary, with the path to it.
struct PropertyListKeys {
  /// The keys that lead here.
  let path: String
  /// The line of the dictionary.
  let line: Int?
  private var rest: [PropertyList.Member]
  private var known: [String] = []

  /// Opens a dictionary; anything else is an error.
  init(_ list: PropertyList, path: String) throws(ConfigurationError) {
    guard case .dictionary(let members) = list.value else {
      throw ConfigurationError(
        .wrongKind(found: list.kindName, expected: "dictionary"), key: path, line: list.line)
    }
    // A literal may repeat a key; files have been checked already.
    var keys: Set<String> = []
    for member in members where !keys.insert(member.key).inserted {
      throw ConfigurationError(.duplicateKey(member.key), key: path, line: member.line)
    }
    self.path = path
    line = list.line
    rest = members
  }

  /// The remaining members in order.
  var members: [PropertyList.Member] { rest }

  func path(to key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Removes and returns the value of a key; nil if it is absent.
  mutating func take(_ key: String) -> PropertyList? {
    known.append(key)
    guard let index = rest.firstIndex(where: { $0.key == key }) else { return nil }
    return rest.remove(at: index).value
  }

  private func wrongKind(
    _ list: PropertyList, _ expected: String, _ key: String
  ) -> ConfigurationError {
    ConfigurationError(
      .wrongKind(found: list.kindName, expected: expected), key: path(to: key), line: list.line)
  }

  mutating func bool(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let list = take(key) else { return nil }
    guard case .bool(let value) = list.value else { throw wrongKind(list, "boolean", key) }
    return value
  }

  mutating func string(_ key: String) throws(ConfigurationError) -> (text: String, line: Int?)? {
    guard let list = take(key) else { return nil }
    guard case .string(let text) = list.value else { throw wrongKind(list, "string", key) }
    return (text, list.line)
  }

  mutating func array(_ key: String) throws(ConfigurationError) -> [PropertyList]? {
    guard let list = take(key) else { return nil }
    guard case .array(let values) = list.value else { throw wrongKind(list, "array", key) }
    return values
  }

  mutating func strings(_ key: String) throws(ConfigurationError) -> [(text: String, line: Int?)]? {
    guard let values = try array(key) else { return nil }
    var texts: [(text: String, line: Int?)] = []
    for value in values {
      guard case .string(let text) = value.value else { throw wrongKind(value, "string", key) }
      texts.append((text, value.line))
    }
    return texts
  }

  /// Checks that no key is left: a misspelt one would silently not count.
  func finish() throws(ConfigurationError) {
    guard let member = rest.first else { return }
    throw ConfigurationError(
      .unknownKey(member.key, nearest: TextSearch.nearestName(to: member.key, among: known)),
      key: path,
      line: member.line)
  }
}
