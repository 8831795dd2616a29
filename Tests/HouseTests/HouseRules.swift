extension HouseRule {
  /// All rules. `Allowances.swift` holds the exceptions.
  static let all: [HouseRule] = [
    fileLength, unsafeFiles, safetyComments, traps, swallowedErrors, printing, uncheckedSendable,
    standardExtensions, gmpMemory, unsafeFlags, layers, citations, openEnds, deadCode,
    machinePaths,
  ]

  // STYLE §2: above 400 lines a file has two subjects.
  static let fileLength = HouseRule(name: "file-length", covers: isSourceCode) { file in
    file.lines.count > 400 ? [0] : []
  }

  /// `unsafe` stands only in files that `Allowances.swift` lists.
  static let unsafeFiles = HouseRule("unsafe", in: isSourceCode) { line in
    line.code.hasWord("unsafe") && !line.code.contains("nonisolated(unsafe)")
  }

  /// Each `unsafe` stands in a paragraph, between blank lines, that has a `// SAFETY:`.
  static let safetyComments = HouseRule(name: "safety-comment", covers: isSourceCode) { file in
    let paragraphs = file.lines.split { $0.text.allSatisfy(\.isWhitespace) }
    return paragraphs.filter { lines in !lines.contains { $0.comment.contains("// SAFETY:") } }
      .flatMap { unsafeFiles.check(SourceFile(path: file.path, lines: Array($0))) }
  }

  /// Nothing that input could reach may end the process.
  static let traps = HouseRule("trap", in: isSource) { line in
    for word in ["fatalError", "preconditionFailure", "precondition", "assert", "assertionFailure"]
    where line.code.hasWord(word) {
      return true
    }
    return line.code.hasForceMark
  }

  /// An error is handled or passed on, never turned into nothing.
  static let swallowedErrors = HouseRule("swallowed-error", in: isCore) { line in
    line.code.contains("try?")
  }

  /// A library does not write to standard output.
  static let printing = HouseRule("print", in: isLibrary) { line in
    ["print", "debugPrint", "dump"].contains { line.code.hasWord($0, before: "(") }
  }

  static let uncheckedSendable = HouseRule("unchecked-sendable", in: isSourceCode) { line in
    line.code.contains("@unchecked Sendable") || line.code.contains("nonisolated(unsafe)")
  }

  // STYLE §7: extending a standard type is fileprivate.
  static let standardExtensions = HouseRule(name: "standard-extension", covers: isLibrary) { file in
    let standard = [
      "Array", "ArraySlice", "ContiguousArray", "InlineArray", "Span", "RawSpan", "String",
      "Substring", "Character", "Int", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
      "Bool", "Range", "Sequence", "Collection", "Dictionary", "Set", "Optional", "Data", "Date",
    ]
    var isInside = false
    var breaches: [Int] = []
    for line in file.lines {
      if let declared = line.code.dropping(prefix: "extension ") {
        let name = declared.prefix { $0.isLetter || $0.isNumber || $0 == "[" }
        isInside = name.hasPrefix("[") || standard.contains(String(name))
      } else if line.code.hasPrefix("}") {
        isInside = false
      } else if isInside, line.code.hasPrefix("  "), !line.code.hasPrefix("   ") {
        let declares = ["func", "var", "let", "init", "subscript"].contains {
          line.code.hasWord($0)
        }
        if declares, !line.code.hasWord("fileprivate"), !line.code.hasWord("private") {
          breaches.append(line.number)
        }
      }
    }
    return breaches
  }

  /// GMP's memory functions belong to the whole process, not to a library in it.
  static let gmpMemory = HouseRule("gmp-memory", in: isSourceCode) { line in
    line.code.contains("mp_set_memory_functions")
  }

  static let unsafeFlags = HouseRule(
    "unsafe-flags", in: { $0.path == "Package.swift" }, breaks: { $0.code.hasWord("unsafeFlags") })

  /// A target imports only what `Layers` allows it.
  static let layers = HouseRule(name: "layer", covers: isSource) { file in
    file.lines.filter { line in
      line.importedModule.map { !Layers.mayImport($0, in: file) } ?? false
    }.map(\.number)
  }

  /// `RFC 5280 §6.1.4 (k)` is the one way to cite. STYLE §4.
  static let citations = HouseRule("citation", in: isText) { line in
    let prose = line.comment + " " + line.literal
    guard prose.contains("RFC") || prose.contains("ection ") || prose.contains("§") else {
      return false
    }
    return prose.contains(#/\bRFC[-_]?\d{4}/#) || prose.contains(#/\bRFC {2,}\d/#)
      || prose.contains(#/\bRFC \d+(,? [Ss]ec|, ?§| \d+\.\d|§)/#)
      || prose.contains(#/\b[Ss]ection \d/#) || prose.contains(#/§ \d/#)
      || prose.contains(#/§\d[\d.]*\([a-z]/#)
  }

  /// What is not finished is an issue, not a comment.
  static let openEnds = HouseRule("open-end", in: isText) { line in
    ["TODO", "FIXME", "XXX", "HACK"].contains { line.comment.hasWord($0) }
  }

  /// Code that is not compiled is in git's history, not in a comment.
  static let deadCode = HouseRule("dead-code", in: \.isSwift) { line in
    guard line.code.allSatisfy(\.isWhitespace), let body = line.comment.dropping(prefix: "//")
    else { return false }
    // A doc comment may show code.
    guard !body.hasPrefix("/") else { return false }
    let text = body.drop { $0 == " " }
    return text.contains(#/^((let|var) \w+ ?(=|: [A-Z\[]))|^import [A-Z]\w*$|^\}$/#)
      || text.contains(#/^(public |package |private |static )*(func \w+[(<].*|init\(.*\) ?)\{?$/#)
      || text.contains(#/^(if|guard|for|while|switch|else) .*\{$|^(try )?\w+(\.\w+)*\(.*\)$/#)
  }

  /// No path of somebody's machine.
  static let machinePaths = HouseRule("machine-path", in: isText) { line in
    guard line.text.contains("/") else { return false }
    return line.text.contains(#/(^|[\s"'`(=:])\/(home|Users|root|work|tmp)\//#)
  }
}

// MARK: Which files a rule is about

@Sendable private func isSourceCode(_ file: SourceFile) -> Bool {
  file.isSwift || file.path.hasSuffix(".h") || file.path.hasSuffix(".c")
}

@Sendable private func isText(_ file: SourceFile) -> Bool { file.path != "STYLE.md" }

@Sendable private func isSource(_ file: SourceFile) -> Bool {
  file.isSwift && file.target != nil
}

@Sendable private func isLibrary(_ file: SourceFile) -> Bool {
  isSource(file) && file.target != "HoldfastTool"
}

@Sendable private func isCore(_ file: SourceFile) -> Bool {
  isLibrary(file) && !Layers.beside.contains(file.target ?? "")
}
