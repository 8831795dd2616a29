internal import Holdfast

/// The growth curves in instructions, which are nearly the same in every run: the part of the cost that
/// depends on the size may grow by so much when the size doubles, and no more.
enum GrowthGate {
  /// The sizes of a curve that are counted: the last is the largest.
  struct Curve {
    let name: String
    /// Instructions of each size.
    var counts: [Int: Int] = [:]
    let sizes: [Int]

    /// The exponent of the part that depends on the size: how the increase from a quarter to a half
    /// of the largest size grows to that from the half to the whole.
    var exponent: Double? {
      guard sizes.count == 3, let quarter = counts[sizes[0]], let half = counts[sizes[1]],
        let whole = counts[sizes[2]]
      else { return nil }
      let (first, second) = (Double(half - quarter), Double(whole - half))
      // What does not grow at all.
      guard first > 0, second > Double(whole) / 50 else { return 0 }
      return logarithm(second / first) / logarithm(2)
    }
  }

  /// Counts in a process that callgrind runs. What is valid is remembered, because the cost of a
  /// signature is one of chance; one that is tried in vain counts.
  static func countInstructions() {
    for curve in Growth.curves {
      for size in sizes(curve) {
        let question = curve.question(size)
        let validator = question.validator(SignatureMemory())
        guard question.isRight(validator), question.isRight(validator) else { continue }
        Command.countInstructions("grow-\(curve.short)-\(size)") {
          _ = question.isRight(validator)
        }
      }
    }
  }

  static func sizes(_ curve: Growth.Kind) -> [Int] {
    let last = curve.sizes.last ?? 4
    return [last / 4, last / 2, last]
  }

  /// Prints a line for each curve; whether all grow as they may.
  static func holds(_ instructions: [String: Int]) -> Bool {
    var holds = true
    print("growth".padded(to: 32) + "instructions for a quarter, a half and all; exponent")
    for kind in Growth.curves {
      var curve = Curve(name: kind.name, sizes: sizes(kind))
      for size in curve.sizes { curve.counts[size] = instructions["grow-\(kind.short)-\(size)"] }
      let counts = curve.sizes.compactMap { curve.counts[$0] }
      guard let exponent = curve.exponent else {
        print(kind.name.padded(to: 32) + "not counted")
        continue
      }
      let isFine = exponent <= Growth.goal
      let sizes = curve.sizes.map(String.init).joined(separator: " ")
      print(
        kind.name.padded(to: 32) + sizes + ": "
          + counts.map(String.init).joined(separator: " ") + "; \(exponent.text(2))"
          + (isFine ? "" : " TOO MUCH"))
      holds = holds && isFine
    }
    return holds
  }
}
