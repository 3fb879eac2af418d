import Opus
import RTP
import TestSupport
import Testing

@testable import Media

@Suite("Continuous audio")
struct ContinuousSoundTests {
  /// Returns a meeting of two clients without cameras. The first client needs continuous sound.
  private static func meeting(talkers: Int) throws -> SimulatedMeeting {
    let meeting = try SimulatedMeeting(
      of: 2, talkers: talkers, cameras: 0, over: Impairment(seed: 1), seed: 1
    ) { _ in .carillon }
    meeting.clients[0].link.isContinuous = true
    return meeting
  }

  /// Runs the meeting for some ticks and returns the RTP packets that the meeting sent to a link.
  private static func packets(_ link: MemoryLink, in meeting: SimulatedMeeting, ticks: Int)
    -> [RTPPacket]
  {
    var now = meeting.now
    for _ in 0..<ticks {
      meeting.media.tick(at: now)
      now = now.advanced(byUs: 20_000)
    }
    return link.takeSent().compactMap { RTPPacket.isRTCP($0.span) ? nil : RTPPacket($0.span) }
  }

  @Test("a link with continuous audio gets a packet every 20 ms when nobody speaks")
  func fillsPauses() throws {
    let meeting = try Self.meeting(talkers: 0)
    let packets = Self.packets(meeting.clients[0].link, in: meeting, ticks: 50)
    #expect(packets.count == 50)
    for (packet, next) in zip(packets, packets.dropFirst()) {
      #expect(packet.sequence.advanced(by: 1) == next.sequence)
      #expect(next.timestamp &- packet.timestamp == 960)
    }
    #expect(Self.packets(meeting.clients[1].link, in: meeting, ticks: 50).isEmpty)
  }

  @Test("a link with continuous audio gets one packet every 20 ms when speech starts and stops")
  func continuesAroundSpeech() throws {
    let meeting = try Self.meeting(talkers: 2)
    try meeting.run(milliseconds: 400)
    let link = meeting.clients[0].link
    _ = link.takeSent()
    // The talkers stop sending. Their mix continues for some time and then pauses.
    let packets = Self.packets(link, in: meeting, ticks: 100)
    #expect(packets.count == 100)
    for (packet, next) in zip(packets, packets.dropFirst()) {
      #expect(next.timestamp &- packet.timestamp == 960)
    }
  }

  @Test("the packet for silence decodes to silence")
  func isSilence() throws {
    var decoder = try OpusDecoder(channels: 1)
    let silence = MeetingMedia.silence
    var samples = [Int16](repeating: 1, count: 960)
    for _ in 0..<3 {
      var span = samples.mutableSpan
      let count = try decoder.decode(silence.span, into: &span)
      #expect(count == 960 && samples.max() ?? 9 < 2 && samples.min() ?? -9 > -2)
    }
  }

  @Test("continuous audio starts with a sequence number far from the wrap")
  func beginsLow() throws {
    for _ in 0..<40 {
      let meeting = try Self.meeting(talkers: 0)
      let packets = Self.packets(meeting.clients[0].link, in: meeting, ticks: 1)
      #expect(packets.allSatisfy { $0.sequence.rawValue < 1 << 15 })
    }
  }
}
