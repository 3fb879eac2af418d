import MeetingModel
import RTP
import TestSupport
import Testing

@testable import Media

@Suite struct TwoAttendeeEstimateTests {
  /// Returns a meeting whose first client sends video and receives estimates, as a browser does.
  private static func meeting(of count: Int) throws -> SimulatedMeeting {
    let meeting = try SimulatedMeeting(
      of: count, talkers: 0, cameras: 1, over: Impairment(seed: 1), seed: 1
    ) { _ in .carillon }
    meeting.clients[0].link.takesEstimates = true
    return meeting
  }

  /// The allowed ratio of the last sent estimate to the current estimate. The estimate may have
  /// changed since the last REMB.
  private static let part = 0.7...0.95

  @Test func `in a meeting of two, the publisher gets the estimate for its receiver's link`() throws
  {
    let meeting = try Self.meeting(of: 2)
    meeting.decide { $0.number == 1 ? [1: 1] : [:] }
    try meeting.run(milliseconds: 3_000)
    let told = try #require(meeting.clients[0].estimates.last)
    let known = try #require(meeting.sessions[1].estimate?.bitsPerSecond)
    #expect(Self.part.contains(Double(told.bits) / Double(known)))
    #expect(SimulatedMeeting.layers(0).contains(told.source))
    #expect(meeting.clients[1].estimates.isEmpty)
  }

  @Test func `in a meeting of three, a publisher gets no estimate`() throws {
    let meeting = try Self.meeting(of: 3)
    meeting.decide { $0.number > 0 ? [1: 1] : [:] }
    try meeting.run(milliseconds: 3_000)
    #expect(meeting.clients[0].estimates.isEmpty)
  }

  @Test func `in a meeting of three, a publisher gets the estimate of its own link`() throws {
    let meeting = try Self.meeting(of: 3)
    meeting.clients[0].link.uplinkEstimate = 400_000
    meeting.decide { $0.number > 0 ? [1: 1] : [:] }
    try meeting.run(milliseconds: 3_000)
    let told = meeting.clients[0].estimates
    #expect((2...4).contains(told.count))
    // A REMB has a mantissa of 18 bits, so the REMB contains a rounded value.
    #expect(told.allSatisfy { (399_000...400_000).contains($0.bits) })
    #expect(told.allSatisfy { SimulatedMeeting.layers(0).contains($0.source) })
  }

  @Test func `in a meeting of two, a publisher gets the estimate of the slower link`() throws {
    let meeting = try Self.meeting(of: 2)
    meeting.decide { $0.number == 1 ? [1: 1] : [:] }
    meeting.clients[0].link.uplinkEstimate = 100_000
    try meeting.run(milliseconds: 2_000)
    #expect((99_000...100_000).contains(try #require(meeting.clients[0].estimates.last).bits))
    meeting.clients[0].link.uplinkEstimate = UplinkEstimator.unlimited
    try meeting.run(milliseconds: 2_000)
    let told = try #require(meeting.clients[0].estimates.last)
    let known = try #require(meeting.sessions[1].estimate?.bitsPerSecond)
    #expect(Self.part.contains(Double(told.bits) / Double(known)))
  }

  @Test func `a publisher's limit is lifted when the only receiver stops receiving video`() throws {
    let meeting = try Self.meeting(of: 2)
    meeting.decide { $0.number == 1 ? [1: 1] : [:] }
    try meeting.run(milliseconds: 2_000)
    meeting.decide { _ in [:] }
    try meeting.run(milliseconds: 5_000)
    // A REMB has a mantissa of 18 bits, so the REMB that lifts the limit contains a rounded value
    // of 20 Mbit/s.
    let free = meeting.clients[0].estimates.filter { $0.bits > 19_900_000 }
    #expect(free.count == 3)
    #expect(meeting.clients[0].estimates.last?.bits == free.last?.bits)
  }

  @Test func `a publisher gets no estimate if its link does not accept estimates`() throws {
    let meeting = try Self.meeting(of: 2)
    meeting.clients[0].link.takesEstimates = false
    meeting.decide { $0.number == 1 ? [1: 1] : [:] }
    try meeting.run(milliseconds: 2_000)
    #expect(meeting.clients[0].estimates.isEmpty)
  }
}
