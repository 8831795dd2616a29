package import HoldfastCertificates
import HoldfastHashes

/// Makes clubcards from sets of serial numbers, by solving the systems of equations over bits.
///
/// It has nothing in common with the code under test but the hash function.
package struct ClubcardBuilder {
  package var logs: [Log] = []
  package var blocks: [Block] = []

  package struct Log {
    package var id: [UInt8]
    package var period: ClosedRange<UInt64>
  }

  /// The certificates of an issuer.
  package struct Block {
    package var issuer: [UInt8]
    package var revoked: [[UInt8]] = []
    package var good: [[UInt8]] = []
    /// Whether the set is that of the good ones; nil for the smaller of both.
    package var isInverted: Bool?
    /// Whether the set is everything but exceptions, so that no equation is needed.
    package var usesOnlyExceptions = false

    package init(_ issuer: [UInt8], revoked: [[UInt8]] = [], good: [[UInt8]] = []) {
      self.issuer = issuer
      self.revoked = revoked
      self.good = good
    }
  }

  package init() {}

  package mutating func add(log id: [UInt8], _ period: ClosedRange<UInt64>) {
    logs.append(Log(id: id, period: period))
  }

  /// Covers the logs of a certificate's embedded timestamps from 2020 until a time.
  package mutating func cover(_ certificate: Certificate, until time: Timestamp) {
    let last = UInt64(time.secondsSince1970) * 1000
    for id in Set(certificate.embeddedTimestamps.map(\.logID.bytes)) {
      add(log: id, 1_577_836_800_000...last)
    }
  }

  /// Returns the file in version 3 or 4.
  package func file(version: Int) -> [UInt8] {
    var columns: [[UInt64]] = []
    var exact: [UInt64] = []
    var entries: [Entry] = []
    for (number, block) in blocks.enumerated() {
      entries.append(
        Entry(block, &columns, &exact, SeededNumbers(seed: UInt64(number) &+ 1)))
    }
    return ClubcardWriter(version: version).file(logs, entries, columns, exact)
  }

  /// What a file has for an issuer.
  struct Entry {
    let issuer: [UInt8]
    var approximateCount = 0
    var rank = 0
    var approximateOffset = 0
    var exactCount = 0
    var exactOffset = 0
    var isInverted = false
    var exceptions: [[UInt8]] = []

    init(
      _ block: Block, _ columns: inout [[UInt64]], _ exact: inout [UInt64],
      _ numbers: SeededNumbers
    ) {
      var numbers = numbers
      issuer = block.issuer
      isInverted = block.isInverted ?? (block.revoked.count > block.good.count)
      let (members, others) =
        isInverted ? (block.good, block.revoked) : (block.revoked, block.good)
      if block.usesOnlyExceptions {
        // Every window lies behind the columns, where all bits are 0.
        (approximateCount, approximateOffset) = (1, 64 * (columns.first?.count ?? 0))
        (exactCount, exactOffset) = (1, 1 << 31)
        exceptions = others
        return
      }
      if members.isEmpty { return }
      approximateCount = members.count + members.count / 32 + 1
      while rank < 20, members.count << (rank + 1) <= others.count { rank += 1 }
      var system = LinearSystem(rows: approximateCount)
      for serial in members { _ = system.insert(Equation(issuer, serial, false)) }
      approximateOffset = 64 * (columns.first?.count ?? 0)
      let solutions = (0..<rank).map { _ in system.solution(&numbers) }
      let words = (approximateCount + 255) / 64 + 1
      while columns.count < rank {
        columns.append([UInt64](repeating: 0, count: columns.first?.count ?? 0))
      }
      for index in columns.indices {
        columns[index] +=
          index < rank ? solutions[index] : [UInt64](repeating: 0, count: words)
      }
      let wrong = others.filter { serial in
        let equation = Equation(issuer, serial, true)
        return solutions.allSatisfy { !equation.value(in: $0, rows: approximateCount) }
      }
      exactCount = (members.count + wrong.count) + (members.count + wrong.count) / 32 + 1
      var last = LinearSystem(rows: exactCount)
      for serial in members { _ = last.insert(Equation(issuer, serial, false)) }
      for serial in wrong where !last.insert(Equation(issuer, serial, true)) {
        exceptions.append(serial)
      }
      exactOffset = 64 * exact.count
      exact += last.solution(&numbers)
    }
  }
}

/// A sum of up to 256 bits in a row, those at its coefficients, and the value that it must have.
private struct Equation {
  var coefficients: (UInt64, UInt64, UInt64, UInt64)
  var value: Bool
  let position: UInt64

  init(_ issuer: [UInt8], _ serial: [UInt8], _ value: Bool) {
    let digest = HashAlgorithm.sha256.hash(issuer + serial)
    func word(_ index: Int) -> UInt64 {
      var word: UInt64 = 0
      for byte in 0..<8 { word |= UInt64(digest[8 * index + byte]) << UInt64(8 * byte) }
      return word
    }
    coefficients = (word(0) | 1, word(1), word(2), word(3))
    position = word(3)
    self.value = value
  }

  var isZero: Bool {
    coefficients.0 | coefficients.1 | coefficients.2 | coefficients.3 == 0
  }

  mutating func add(_ other: Equation) {
    coefficients.0 ^= other.coefficients.0
    coefficients.1 ^= other.coefficients.1
    coefficients.2 ^= other.coefficients.2
    coefficients.3 ^= other.coefficients.3
    value = value != other.value
  }

  /// Shifts the coefficients down to the first that is not 0, and returns by how many.
  mutating func normalize() -> Int {
    var count = 0
    while coefficients.0 == 0 {
      coefficients = (coefficients.1, coefficients.2, coefficients.3, 0)
      count += 64
    }
    let zeros = coefficients.0.trailingZeroBitCount
    coefficients.0 = coefficients.0 >> zeros | coefficients.1 << (64 - zeros)
    coefficients.1 = coefficients.1 >> zeros | coefficients.2 << (64 - zeros)
    coefficients.2 = coefficients.2 >> zeros | coefficients.3 << (64 - zeros)
    coefficients.3 >>= zeros
    return count + zeros
  }

  /// Returns the sum over a column whose first row is the first of the system.
  func value(in column: [UInt64], rows: Int) -> Bool {
    sum(in: column, from: Int(position % UInt64(max(1, rows))))
  }

  func sum(in column: [UInt64], from start: Int) -> Bool {
    func word(_ index: Int) -> UInt64 {
      let (place, shift) = (start / 64 + index, start % 64)
      let low = place < column.count ? column[place] >> shift : 0
      let high = place + 1 < column.count ? column[place + 1] << (64 - shift) : 0
      return low | high
    }
    let sum =
      coefficients.0 & word(0) ^ coefficients.1 & word(1) ^ coefficients.2 & word(2)
      ^ coefficients.3 & word(3)
    return sum.nonzeroBitCount % 2 == 1
  }
}

/// A system of equations, in the form that Gauss's elimination leaves: at each row an equation that
/// begins there, or none.
private struct LinearSystem {
  private let count: Int
  private var rows: [Equation?]

  init(rows count: Int) {
    self.count = count
    rows = Array(repeating: nil, count: count + 256)
  }

  /// Adds an equation; false if it contradicts the others.
  mutating func insert(_ equation: Equation) -> Bool {
    var rest = equation
    var row = Int(equation.position % UInt64(max(1, count)))
    while !rest.isZero {
      row += rest.normalize()
      guard let other = rows[row] else {
        rows[row] = rest
        return true
      }
      rest.add(other)
    }
    return !rest.value
  }

  /// Returns a solution, with random bits where the equations leave the choice.
  func solution(_ numbers: inout SeededNumbers) -> [UInt64] {
    var column = [UInt64](repeating: 0, count: (count + 255) / 64 + 1)
    for row in rows.indices.reversed() where row / 64 < column.count {
      // The bit itself is still 0, so the sum is that of the others.
      let bit =
        if let equation = rows[row] {
          equation.value != equation.sum(in: column, from: row)
        } else {
          numbers.next() & 1 == 1
        }
      if bit { column[row / 64] |= 1 << UInt64(row % 64) }
    }
    return column
  }
}

/// Writes the encodings of clubcards.
private struct ClubcardWriter {
  let version: Int

  private func number(_ value: UInt64, inFour width: Int) -> [UInt8] {
    version == 4
      ? (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
      : (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private func number(_ value: Int, inFour width: Int) -> [UInt8] {
    number(UInt64(value), inFour: width)
  }

  private func column(_ words: [UInt64]) -> [UInt8] {
    number(words.count, inFour: 4) + words.flatMap { number($0, inFour: 8) }
  }

  func file(
    _ logs: [ClubcardBuilder.Log], _ entries: [ClubcardBuilder.Entry], _ columns: [[UInt64]],
    _ exact: [UInt64]
  ) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(version), 0] + number(logs.count, inFour: 2)
    for log in logs {
      bytes += log.id
      bytes += number(log.period.lowerBound, inFour: 8)
      bytes += number(log.period.upperBound, inFour: 8)
    }
    bytes += number(entries.count, inFour: 4)
    for entry in entries {
      if version == 3 { bytes += number(entry.issuer.count, inFour: 0) }
      bytes += entry.issuer + self.entry(entry)
    }
    bytes += number(columns.count, inFour: 1)
    for column in columns { bytes += self.column(column) }
    return bytes + column(exact)
  }

  private func entry(_ entry: ClubcardBuilder.Entry) -> [UInt8] {
    var bytes = number(entry.approximateCount, inFour: 4)
    if version == 3 { bytes += number(entry.exactCount, inFour: 4) }
    bytes += number(entry.rank, inFour: 1) + number(entry.approximateOffset, inFour: 4)
    if version == 4 { bytes += number(entry.exactCount, inFour: 4) }
    bytes += number(entry.exactOffset, inFour: 4) + [entry.isInverted ? 1 : 0]
    bytes += number(entry.exceptions.count, inFour: 2)
    for serial in entry.exceptions { bytes += number(serial.count, inFour: 1) + serial }
    return bytes
  }
}
