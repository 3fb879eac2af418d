import Foundation
import MeetingModel
import Testing

struct WallClockTests {
  @Test func `the wall clock matches Foundation's time since 1970`() {
    let before = UInt64(Date().timeIntervalSince1970 * 1_000)
    let milliseconds = WallClock.nowMs
    let microseconds = WallClock.nowUs
    let after = UInt64(Date().timeIntervalSince1970 * 1_000) + 1
    #expect((before...after).contains(milliseconds))
    #expect((before...after).contains(microseconds / 1_000))
  }
}
