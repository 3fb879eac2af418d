import RTP
import TestSupport
import Testing

@testable import Media

@Suite("Lost audio")
struct LostSoundTests {
  /// Returns a meeting with one speaking client and a known round-trip time.
  ///
  /// - Parameter repeats: Whether the client's link sends redundant audio.
  private static func meeting(repeats: Bool) throws -> SimulatedMeeting {
    let meeting = try SimulatedMeeting(
      of: 1, talkers: 0, cameras: 0, over: Impairment(seed: 1), seed: 1
    ) { _ in .carillon }
    meeting.clients[0].link.repeatsSound = repeats
    let time = NTPTime(microsecondsSince1970: 1_000_000_000)
    meeting.sessions[0].streams.receive(
      ReportBlock(ssrc: 1, lastSenderReport: time.middle), at: time)
    try #require(meeting.sessions[0].streams.roundTrip == 0)
    return meeting
  }

  private static func packet(_ number: UInt16, ssrc: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: 111, sequence: SequenceNumber(number), timestamp: 960 * UInt32(number),
      ssrc: ssrc, isMarked: false
    ).begin(in: &bytes)
    return bytes + MeetingMedia.silence
  }

  /// Returns the sequence numbers that media requests again while one packet arrives every 20 ms.
  private static func asked(_ meeting: SimulatedMeeting, sending numbers: [UInt16?]) throws
    -> [UInt16]
  {
    let session = meeting.sessions[0]
    var now = meeting.now
    for number in numbers {
      if let number {
        let packet = packet(number, ssrc: session.sendSSRC)
        _ = try meeting.media.take(packet.span, from: session, at: now)
      }
      now = now.advanced(byUs: 15_000)
      meeting.media.tick(at: now)
      now = now.advanced(byUs: 5_000)
    }
    return meeting.clients[0].link.takeSent().flatMap { nacked($0, session.sendSSRC) }
  }

  private static func nacked(_ bytes: [UInt8], _ ssrc: UInt32) -> [UInt16] {
    var (reader, numbers) = (RTCPReader(), [UInt16]())
    guard RTPPacket.isRTCP(bytes.span) else { return [] }
    while let packet = reader.next(in: bytes.span) {
      guard case .nack(let list) = packet, list.media == ssrc else { continue }
      list.forEach(in: bytes.span) { numbers.append($0.rawValue) }
    }
    return numbers
  }

  @Test("media asks a client for lost audio if both agreed on repetition")
  func asks() throws {
    let sent: [UInt16?] = [1, 2, 3, nil, 5, 6, 7]
    #expect(try Self.asked(Self.meeting(repeats: true), sending: sent) == [4])
    #expect(try Self.asked(Self.meeting(repeats: false), sending: sent) == [])
  }

  @Test("media asks a muted client for no lost audio")
  func asksNotForMuted() throws {
    let meeting = try Self.meeting(repeats: true)
    let session = meeting.sessions[0]
    _ = meeting.media.change(.muted(true), of: session.participant, at: meeting.now)
    let packet = Self.packet(1, ssrc: session.sendSSRC)
    #expect(throws: DropReason.rights) {
      try meeting.media.take(packet.span, from: session, at: meeting.now)
    }
    meeting.media.tick(at: meeting.now)
    #expect(meeting.clients[0].link.takeSent().flatMap { Self.nacked($0, session.sendSSRC) } == [])
  }
}
