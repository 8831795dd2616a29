/// Who may import whom. The picture is in `Sources/README.md`.
enum Layers {
  /// The targets beside the tower: they may use Foundation.
  static let beside: Set = ["HoldfastConfigurations", "HoldfastConformance", "HoldfastTool"]

  /// What each target may import. A target that is missing here may import nothing.
  static let allowed: [String: Set<String>] = [
    "HoldfastDER": [],
    "HoldfastHashes": ["CHoldfastSHA"],
    "HoldfastSignatures": ["CHoldfastWords", "HoldfastHashes"],
    "HoldfastCertificates": ["HoldfastDER", "HoldfastHashes"],
    "HoldfastPaths": [
      "HoldfastDER", "HoldfastHashes", "HoldfastCertificates", "HoldfastSignatures",
    ],
    "Holdfast": ["HoldfastDER", "HoldfastHashes", "HoldfastCertificates", "HoldfastPaths"],
    "HoldfastConfigurations": ["Holdfast"],
    "HoldfastIdentities": ["HoldfastDER", "HoldfastHashes", "HoldfastCertificates"],
    "HoldfastConformance": [
      "Holdfast", "HoldfastDER", "HoldfastHashes", "HoldfastCertificates", "HoldfastSignatures",
      "HoldfastPaths", "Foundation",
    ],
    "HoldfastTool": [
      "Holdfast", "HoldfastCertificates", "HoldfastDER", "HoldfastConfigurations",
      "HoldfastConformance", "Foundation",
    ],
  ]

  /// The files that call the C library: one for the libraries, one for the tool.
  private static let callsC = [
    "Sources/HoldfastDER/Platform.swift", "Sources/HoldfastTool/System.swift",
  ]

  /// Modules that only some files may import, whatever their target.
  static let onlyIn: [String: [String]] = [
    "CHoldfastGMP": ["Sources/HoldfastSignatures/Natural.swift"],
    "CHoldfastPlatform": callsC, "Glibc": callsC, "Musl": callsC, "Darwin": callsC,
    "Android": callsC, "ucrt": callsC, "WinSDK": callsC,
  ]

  /// Parts of the standard library; they bring nothing that is not there already.
  static let standard: Set = ["Swift", "Synchronization", "_Builtin_intrinsics"]

  static func mayImport(_ module: String, in file: SourceFile) -> Bool {
    if let only = onlyIn[module] { return only.contains(file.path) }
    guard let target = file.target else { return true }
    return standard.contains(module) || allowed[target]?.contains(module) == true
  }
}

extension SourceFile.Line {
  /// The module that an import names, without its submodule.
  var importedModule: String? {
    let words = code.split(separator: " ")
    guard let keyword = words.firstIndex(of: "import") else { return nil }
    let before = ["public", "package", "internal", "fileprivate", "private"]
    guard words[..<keyword].allSatisfy({ $0.hasPrefix("@") || before.contains(String($0)) }) else {
      return nil
    }
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
    let rest = words[(keyword + 1)...].drop { kinds.contains(String($0)) }
    return rest.first?.split(separator: ".").first.map(String.init)
  }
}
