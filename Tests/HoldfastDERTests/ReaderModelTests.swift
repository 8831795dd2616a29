import HoldfastDER
import TestSupport
import Testing

@Suite("The reader and a model of X.690")
struct ReaderModelTests {
  @Test("every input of up to two bytes is read or rejected as the model has it")
  func twoBytes() throws {
    let model = try ReaderModel("der/readers.txt")
    var complaints: [String] = []
    var count = 0
    for item in model.cases where item.input.count <= 2 {
      count += try #require(model.run(item, &complaints), "no reader \(item.reader)")
    }
    #expect(complaints == [])
    // 17 readers.
    #expect(count == 17 * (1 + 256 + 65_536))
  }

  @Test("every form of a length is read or rejected as the model has it, with every tag")
  func headers() throws {
    let model = try ReaderModel("der/headers.txt")
    var complaints: [String] = []
    var shapes = 0
    for header in model.headers {
      var input = [0] + header.length + [UInt8](repeating: 0, count: header.zeros)
      for tag in UInt8.min...UInt8.max {
        input[0] = tag
        let found = ReaderModel.outcome(of: input, ReaderModel.readAny)
        let expected = model.target(of: header.node, tag)
        if found != expected {
          complaints.append(
            "\(Bytes(input.prefix(140).map { $0 })): \(ReaderModel.text(found)), expected "
              + ReaderModel.text(expected))
        }
      }
      shapes += 1
    }
    #expect(complaints.prefix(20) == [])
    #expect(shapes > 300)
  }
}

/// In a release build only.
@Suite("The reader and a model of X.690, in full")
struct HeavyReaderModelTests {
  /// 350 million inputs take minutes.
  @Test(
    "every input of three bytes, and every content of two, is as the model has it",
    .enabled(if: OracleCases.areSet, "ABSENT: HOLDFAST_ORACLE_CASES, which Scripts/nightly sets"))
  func threeBytes() throws {
    let model = try ReaderModel("der/readers.txt")
    var complaints: [String] = []
    var count = 0
    for item in model.cases where item.input.count > 2 {
      count += try #require(model.run(item, &complaints), "no reader \(item.reader)")
    }
    #expect(complaints == [])
    #expect(count > 300_000_000)
  }

  /// RFC 5280 §4.1.2.5.2, and the leap years of Python's calendar.
  @Test("every day of the years 0 to 9999 is read as its second, and no other day is")
  func days() throws {
    let calendar = try ReaderModel("der/readers.txt").calendar
    #expect(calendar.isLeapYear.count == 10_000)
    var input: [UInt8] = [0x18, 0x0F] + Array("00000000000000Z".utf8)
    func write(_ value: Int, at offset: Int, digits: Int) {
      var rest = value
      for place in stride(from: offset + digits - 1, through: offset, by: -1) {
        input[place] = 0x30 + UInt8(rest % 10)
        rest /= 10
      }
    }
    var expected = calendar.start
    var complaints: [String] = []
    for (year, isLeapYear) in calendar.isLeapYear.enumerated() {
      let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      write(year, at: 2, digits: 4)
      for month in 0...13 {
        write(month, at: 6, digits: 2)
        let length = 1...12 ~= month ? lengths[month - 1] : 0
        for day in 0...32 {
          write(day, at: 8, digits: 2)
          var reader = DERReader(input)
          var found: Int?
          do throws(DERError) {
            found = Int(try reader.readTime(in: input).secondsSince1970)
          } catch {
            if error != DERError(.badTime, at: 2) { complaints.append("\(error)") }
          }
          let isDay = 1...max(length, 1) ~= day && length > 0
          if found != (isDay ? expected : nil) { complaints.append("\(year)-\(month)-\(day)") }
          if isDay { expected += 86_400 }
        }
      }
    }
    #expect(complaints.prefix(20) == [])
  }
}
