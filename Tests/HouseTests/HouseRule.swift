/// A rule of the house that a machine can see.
struct HouseRule: Sendable {
  /// A short name, used by the allowances.
  let name: String
  /// The files it is about, by path.
  let covers: @Sendable (SourceFile) -> Bool
  /// The lines that break it; line 0 is the file as a whole.
  let check: @Sendable (SourceFile) -> [Int]

  /// A breach of a rule.
  struct Breach: CustomStringConvertible {
    let rule: String
    let path: String
    let line: Int
    let text: String

    var description: String { "\(path):\(line): \(rule): \(text)" }
  }

  /// An exception from a rule, for a file or for the lines of it that contain a text.
  struct Allowance: Sendable {
    let rule: String
    let path: String
    let text: String?
    let reason: String

    init(_ rule: String, _ path: String, line text: String? = nil, because reason: String) {
      self.rule = rule
      self.path = path
      self.text = text
      self.reason = reason
    }

    func covers(_ breach: Breach) -> Bool {
      rule == breach.rule && path == breach.path && (text.map(breach.text.contains) ?? true)
    }
  }

  /// The breaches in a file, allowed ones included.
  func breaches(in file: SourceFile) -> [Breach] {
    guard covers(file) else { return [] }
    return check(file).map { number in
      let text = file.lines.first { $0.number == number }?.text ?? "the whole file"
      return Breach(rule: name, path: file.path, line: number, text: text)
    }
  }
}

extension HouseRule {
  /// A rule that a line of code, seen alone, keeps or breaks.
  init(
    _ name: String, in covers: @escaping @Sendable (SourceFile) -> Bool,
    breaks: @escaping @Sendable (SourceFile.Line) -> Bool
  ) {
    self.init(name: name, covers: covers) { file in
      file.lines.filter(breaks).map(\.number)
    }
  }
}
