import HoldfastDER
import TestSupport

/// What a model of X.690 expects of the readers: `Vectors/der/make.py`, which has the format.
struct ReaderModel {
  /// What a reader makes of an input, as one number: twice what it returns, or an odd number for a
  /// problem, its byte and its tag.
  typealias Outcome = Int

  struct Case {
    let reader: String
    var input: [UInt8]
    /// The position of the bytes that take all values, and their number.
    let free: Range<Int>
    let target: Int
  }

  struct Header {
    let length: [UInt8]
    let zeros: Int
    let node: Int
  }

  private let diagrams: ByteDiagrams
  private(set) var cases: [Case] = []
  private(set) var headers: [Header] = []
  /// The second at which the year 0 begins, and whether each year is a leap year.
  private(set) var calendar: (start: Int, isLeapYear: [Bool]) = (0, [])

  init(_ name: String) throws {
    diagrams = try ByteDiagrams(name) { text in
      if text.first == "=", let value = Int(text.dropFirst()) { return value * 2 }
      let parts = text.split(separator: "@")
      let numbers = (parts.last ?? "").split(separator: "/").compactMap { Int($0) }
      guard parts.count == 2, 1...2 ~= numbers.count, let problem = ReaderModel.numbers[parts[0]]
      else { throw MalformedTestData(reason: "\(name): \(text)") }
      return ReaderModel.outcome(problem, at: numbers[0], tag: numbers.dropFirst().first ?? 0)
    }
    for words in diagrams.lines {
      switch words[0] {
      case "case":
        let known = try parseHex(words[2])
        let free = Int(words[3]) ?? 0
        cases.append(
          Case(
            reader: String(words[1]), input: known + [UInt8](repeating: 0, count: free),
            free: known.count..<known.count + free, target: try diagrams.target(words[4])))
      case "middle":
        let start = Int(words[3]) ?? 0
        cases.append(
          Case(
            reader: String(words[1]), input: try parseHex(words[2]), free: start..<start + 2,
            target: try diagrams.target(words[4])))
      case "header":
        headers.append(
          Header(
            length: try parseHex(words[1]), zeros: Int(words[2]) ?? 0,
            node: try diagrams.target(words[3])))
      case "calendar":
        for byte in try parseHex(words[2]) {
          for bit in 0..<8 { calendar.isLeapYear.append(byte & (0x80 >> UInt8(bit)) != 0) }
        }
        calendar.start = Int(words[1]) ?? 0
      default: throw MalformedTestData(reason: "\(name): \(words)")
      }
    }
  }

  func target(of node: Int, _ byte: UInt8) -> Int { diagrams.target(of: node, byte) }

  /// Reads every input of a case; returns how many there are, and adds what differs.
  func run(
    _ item: Case, _ complaints: inout [String],
    _ read: ([UInt8]) throws(DERError) -> Int
  ) -> Int {
    var input = item.input
    func visit(_ target: Int, _ position: Int) -> Int {
      if position == item.free.upperBound {
        let found = ReaderModel.outcome(of: input, read)
        if found != target, complaints.count < 20 {
          complaints.append(
            "\(item.reader) of \(Bytes(input)): \(ReaderModel.text(found)), expected "
              + ReaderModel.text(target))
        }
        return 1
      }
      var count = 0
      for byte in UInt8.min...UInt8.max {
        input[position] = byte
        count += visit(self.target(of: target, byte), position + 1)
      }
      return count
    }
    return visit(item.target, item.free.lowerBound)
  }
}

/// Outcomes as numbers.
extension ReaderModel {
  private static let names = [
    "missing", "truncated", "highTag", "indefiniteLength", "overlongLength", "excessiveLength",
    "unexpectedTag", "unexpectedChoice", "trailingData", "empty", "badBoolean", "badInteger",
    "integerOutOfRange", "badNull", "badBitString", "badObjectIdentifier", "badString", "badTime",
    "another problem",
  ]
  private static let numbers = Dictionary(
    uniqueKeysWithValues: names.enumerated().map { (Substring($1), $0) })

  private static func outcome(_ problem: Int, at offset: Int, tag: Int) -> Outcome {
    (problem << 40 | offset << 8 | tag) << 1 | 1
  }

  static func outcome(of input: [UInt8], _ read: ([UInt8]) throws(DERError) -> Int) -> Outcome {
    do throws(DERError) {
      return try read(input) << 1
    } catch {
      let (problem, tag) = number(error.problem)
      return outcome(problem, at: error.offset, tag: Int(tag?.rawValue ?? 0))
    }
  }

  private static func number(_ problem: DERError.Problem) -> (Int, DERTag?) {
    switch problem {
    case .missing(let tag): (0, tag)
    case .truncated: (1, nil)
    case .highTag: (2, nil)
    case .indefiniteLength: (3, nil)
    case .overlongLength: (4, nil)
    case .excessiveLength: (5, nil)
    case .unexpectedTag(let found, _): (6, found)
    case .unexpectedChoice(let found): (7, found)
    case .trailingData: (8, nil)
    case .empty: (9, nil)
    case .badBoolean: (10, nil)
    case .badInteger: (11, nil)
    case .integerOutOfRange: (12, nil)
    case .badNull: (13, nil)
    case .badBitString: (14, nil)
    case .badObjectIdentifier: (15, nil)
    case .badString(let tag): (16, tag)
    case .badTime: (17, nil)
    default: (18, nil)
    }
  }

  static func text(_ outcome: Outcome) -> String {
    guard outcome & 1 == 1 else { return "\(outcome >> 1)" }
    let bits = outcome >> 1
    return "\(names[bits >> 40]) at byte \(bits >> 8 & 0xFFFF_FFFF), tag \(bits & 0xFF)"
  }
}

/// The readers by the names in the model.
extension ReaderModel {
  /// Runs a case; nil if the model has a reader that is not here.
  ///
  /// A call with a closure for each, so that the compiler can put the reader into the loop.
  func run(_ item: Case, _ complaints: inout [String]) -> Int? {
    switch item.reader {
    case "any": run(item, &complaints, ReaderModel.readAny)
    case "sequence":
      run(item, &complaints) { input throws(DERError) in
        try ReaderModel.place(input) { reader throws(DERError) in
          try reader.read(.sequence, in: input)
        }
      }
    case "elements":
      run(item, &complaints) { input throws(DERError) in
        try ReaderModel.place(input) { reader throws(DERError) in
          try reader.readNonEmpty(.sequence, in: input)
        }
      }
    case "optional":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        guard let content = try reader.readIfPresent(.integer, in: input) else {
          return reader.range.lowerBound
        }
        return ReaderModel.place(content, reader)
      }
    case "explicit":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        let value = try reader.readExplicit(0, in: input) { inner throws(DERError) in
          try inner.readNull(in: input)
          return 1
        }
        return value ?? 0
      }
    case "boolean":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        return try reader.readBoolean(in: input) ? 1 : 0
      }
    case "integer":
      run(item, &complaints) { input throws(DERError) in
        try ReaderModel.place(input) { reader throws(DERError) in
          try reader.readInteger(in: input)
        }
      }
    case "unsigned":
      run(item, &complaints) { input throws(DERError) in
        try ReaderModel.place(input) { reader throws(DERError) in
          try reader.readUnsigned(in: input)
        }
      }
    case "number":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        return Int(try reader.readUInt64(upTo: 1000, in: input))
      }
    case "null":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        try reader.readNull(in: input)
        return 0
      }
    case "bits":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        let bits = try reader.readBitString(in: input)
        return bits.unusedBits << 16 | bits.bytes.startIndex << 8 | bits.bytes.endIndex
      }
    case "bytes":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        let bytes = try reader.readBitStringOfBytes(in: input)
        return bytes.startIndex << 8 | bytes.endIndex
      }
    case "oid":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        let oid = try reader.readOID(in: input)
        let end = reader.range.lowerBound
        // What was read must be what is there.
        return oid.content[...] == input[2..<end] ? 2 << 8 | end : -1
      }
    case "time":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        return Int(try reader.readTime(in: input).secondsSince1970)
      }
    case "generalized":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        return Int(try reader.readGeneralizedTime(in: input).secondsSince1970)
      }
    case "structure":
      run(item, &complaints) { input throws(DERError) in
        var reader = DERReader(input)
        return try reader.readNextStructure(in: input).endIndex
      }
    case "nested":
      run(item, &complaints) { input throws(DERError) in
        try DERReader(input).checkNested(in: input)
        return 0
      }
    default: nil
    }
  }

  static func readAny(_ input: [UInt8]) throws(DERError) -> Int {
    var reader = DERReader(input)
    let (tag, content) = try reader.readAny(in: input)
    return Int(tag.rawValue) << 16 | place(content, reader)
  }

  /// Returns where the content is that was read first; where the reader is afterwards must be its
  /// end.
  private static func place(
    _ input: [UInt8], _ read: (inout DERReader) throws(DERError) -> DERReader
  ) throws(DERError) -> Int {
    var reader = DERReader(input)
    let content = try read(&reader)
    return place(content, reader)
  }

  private static func place(_ content: DERReader, _ reader: DERReader) -> Int {
    let range = content.range
    return reader.range.lowerBound == range.upperBound
      ? range.lowerBound << 8 | range.upperBound : -1
  }
}
