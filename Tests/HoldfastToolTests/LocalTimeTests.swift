import HoldfastAnswers
import HoldfastDER
import Testing

@Suite("Local times of the page")
struct LocalTimeTests {
  @Test(
    "a moment is shown as clocks ahead of UTC or behind it show it",
    arguments: [
      (3_600, "2026-03-01 00:30 +01:00"), (-12_600, "2026-02-28 20:00 -03:30"),
      (20_700, "2026-03-01 05:15 +05:45"),
    ])
  func shown(_ ahead: Int64, _ expected: String) {
    // 2026-02-28T23:30:00Z
    let moment = Timestamp(secondsSince1970: 1_772_321_400)
    #expect("\(moment)" == "2026-02-28T23:30:00Z")
    #expect(moment.local(ahead: { _ in ahead }) == expected)
    #expect(moment.local(ahead: { _ in 0 }) == nil)
  }
}
