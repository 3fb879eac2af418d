import Testing

@testable import Gateway

@Suite struct AttendanceIDsTests {
  @Test func `later joins get higher stream numbers, even on another gateway`() {
    var (early, late) = (AttendanceIDs(), AttendanceIDs())
    let first = early.number(of: "a", since: 1_600_000)
    #expect(early.number(of: "a", since: 1_600_000) == first)
    #expect(early.number(of: "b", since: 1_600_000) == first + 1)
    #expect(late.number(of: "a", since: 1_600_320) > first)
  }

  @Test func `an attendee who has left stays absent when an older join is reported again`() {
    var numbers = AttendanceIDs()
    _ = numbers.number(of: "a", since: 16_000)
    numbers.end("a")
    let newest = numbers.number(of: "a", since: 32_000)
    numbers.end("a")
    #expect(numbers.number(of: "a", since: 16_000) == newest)
    #expect(!numbers.isPresent("a"))
    #expect(numbers.number(of: "a", since: 32_000) == newest)
    #expect(numbers.isPresent("a"))
  }

  @Test func `the gateway keeps the stream numbers of the last 4096 attendees who left`() {
    var numbers = AttendanceIDs()
    for index in 0..<5_000 {
      _ = numbers.number(of: "\(index)", since: 16_000)
      numbers.end("\(index)")
    }
    #expect(numbers.number(of: "4999") != nil && numbers.number(of: "0") == nil)
    #expect(numbers.known.count == 4_096 && numbers.known.allSatisfy { !$0.isPresent })
  }
}
