import Testing

@testable import Gateway

@Suite struct TimestampFormatterTests {
  @Test func `every millisecond of a second has its own text`() {
    let begin: Int64 = 1_790_000_000_000
    for rest in Int64(0)..<1_000 {
      let text = TimestampFormatter.text(begin + rest)
      let digits = String(text.suffix(4).dropLast())
      #expect(text.hasPrefix("2026-09-21T14:13:20."))
      #expect(Int64(digits) == rest)
    }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_400_999, "2000-02-29T00:00:00.999Z"),
    (4_102_444_799_001, "2099-12-31T23:59:59.001Z"),
  ]) func `timestamps are in UTC and have three decimals`(time: Int64, text: String) {
    #expect(TimestampFormatter.text(time) == text)
  }
}
