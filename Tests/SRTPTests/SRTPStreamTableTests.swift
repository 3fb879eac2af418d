import Testing

@testable import SRTP

@Suite("Stream table")
struct SRTPStreamTableTests {
  @Test("a full table drops the stream whose last packet is oldest")
  func dropsTheLeastRecentlyUsed() {
    var table = SRTPStreamTable(capacity: 2)
    for (index, ssrc) in [(10, 1), (20, 2), (11, 1), (30, 3)] as [(UInt64, UInt32)] {
      table.record(index, of: ssrc)
    }
    #expect(table.count == 2)
    #expect(table.verdict(on: 10, of: 1) == .seen)
    #expect(table.verdict(on: 9, of: 1) == .new)
    #expect(table.verdict(on: 19, of: 2) == .tooOld)
  }

  @Test("a stream that returns to the table continues at the stream's last index")
  func continues() {
    var table = SRTPStreamTable(capacity: 1)
    table.record(0x3_0005, of: 1)
    table.record(7, of: 2)
    #expect(table.highestIndex(of: 1) == 0x3_0005)
    #expect(table.verdict(on: 0x3_0005, of: 1) == .tooOld)
    #expect(table.verdict(on: 0x3_0006, of: 1) == .new)
    table.record(0x3_0006, of: 1)
    #expect(table.verdict(on: 0x3_0006, of: 1) == .seen)
    #expect(table.departedCount == 1)
  }

  @Test("a table that remembers its maximum number of streams admits no further SSRC")
  func isBounded() {
    var table = SRTPStreamTable(capacity: 4)
    let most = UInt32(4 + 4 * SRTPStreamTable.departedPerStream)
    for ssrc in 0..<most {
      #expect(table.admits(ssrc))
      table.record(1, of: ssrc)
    }
    #expect(!table.admits(most))
    #expect(table.count == 4 && table.departedCount == Int(most) - 4)
    for ssrc in 0..<most {
      #expect(table.admits(ssrc) && table.verdict(on: 1, of: ssrc) != .new)
      table.record(2, of: ssrc)
    }
    #expect(table.count == 4 && table.departedCount == Int(most) - 4)
  }
}
