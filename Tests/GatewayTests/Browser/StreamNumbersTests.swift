import Testing

@testable import Gateway

@Suite struct `Numbers of stays` {
  @Test func `stay numbers rise with time, also across gateways`() {
    var (early, late) = (StreamNumbers(), StreamNumbers())
    let first = early.number(of: "a", since: 1_600_000)
    #expect(early.number(of: "a", since: 1_600_000) == first)
    #expect(early.number(of: "b", since: 1_600_000) == first + 1)
    #expect(late.number(of: "a", since: 1_600_320) > first)
  }

  @Test func `an older stay does not bring back an attendee who left`() {
    var numbers = StreamNumbers()
    _ = numbers.number(of: "a", since: 16_000)
    numbers.end("a")
    let newest = numbers.number(of: "a", since: 32_000)
    numbers.end("a")
    #expect(numbers.number(of: "a", since: 16_000) == newest)
    #expect(!numbers.isPresent("a"))
    #expect(numbers.number(of: "a", since: 32_000) == newest)
    #expect(numbers.isPresent("a"))
  }

  @Test func `the newest 4096 ended stays are remembered`() {
    var numbers = StreamNumbers()
    for index in 0..<5_000 {
      _ = numbers.number(of: "\(index)", since: 16_000)
      numbers.end("\(index)")
    }
    #expect(numbers.number(of: "4999") != nil && numbers.number(of: "0") == nil)
    #expect(numbers.known.count == 4_096 && numbers.known.allSatisfy { !$0.isPresent })
  }
}
