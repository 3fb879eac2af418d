import MeetingModel
import Opus
import RTP
import TestSupport
import Testing

@testable import Media

/// Tests of the copies (in-band FEC) in the packets of the mix.
struct MixRedundancyTests {
  /// Sends media a client's report that the share `loss` of the packets of the client's mix was
  /// lost.
  private static func report(
    _ loss: Double, from client: SimulatedClient, in meeting: SimulatedMeeting
  ) {
    var control = RTCPWriter()
    let block = ReportBlock(ssrc: client.hearing, fractionLost: UInt8(min(255, loss * 256)))
    control.addReceiverReport(sender: client.voice, reports: [block].span)
    meeting.receive(control.bytes, from: client)
  }

  /// Returns the share of packets with a copy in the last 500 ms of a client's mix.
  private static func shareWithCopies(_ client: SimulatedClient) -> Double {
    guard let last = client.mix.keys.max() else { return 0 }
    let packets = (last - 24...last).compactMap { client.mix[$0] }
    let count = packets.count { OpusPacket($0.span)?.hasRedundancy == true }
    return Double(count) / Double(max(packets.count, 1))
  }

  @Test func `after a report of losses, packets of the mix contain copies`() throws {
    let meeting = try SimulatedMeeting(
      of: 3, talkers: 2, cameras: 0, over: Impairment(seed: 3), seed: 3
    ) { _ in .carillon }
    let client = meeting.clients[2]
    try meeting.run(milliseconds: 1_000)
    #expect(Self.shareWithCopies(client) == 0)
    Self.report(0.1, from: client, in: meeting)
    try meeting.run(milliseconds: 1_000)
    #expect(Self.shareWithCopies(client) > 0)
    // Each speaker has a separate mix.
    #expect(Self.shareWithCopies(meeting.clients[0]) == 0)
    for _ in 0..<12 { Self.report(0, from: client, in: meeting) }
    try meeting.run(milliseconds: 1_000)
    #expect(Self.shareWithCopies(client) == 0)
  }

  @Test(arguments: [1, 2])
  func `only the mix of a listener who loses packets contains copies`(lossy: Int) throws {
    let room = AudioRoom()
    try room.add(1, .voice())
    try room.add(2, .voice(pitch: 190))
    try room.add(3)
    try room.run(100)
    let copies = { (key: Int) in
      room.ears[key]?.packets.suffix(50).count { $0.hasRedundancy } ?? 0
    }
    #expect(copies(1) == 0 && copies(2) == 0 && copies(3) == 0)
    room.audio.setExpectedLoss(of: SessionSlot(lossy), 15)
    try room.run(100)
    #expect(copies(lossy) > 20)
    #expect(copies(3 - lossy) == 0)
    #expect(copies(3) == 0)
  }

  @Test func `the expected loss rises at once, and falls over several reports`() {
    var streams = AudioStreams(receiveSSRC: 1, sequence: SequenceNumber(0))
    func report(_ loss: Double) -> Int {
      streams.receive(
        ReportBlock(ssrc: 1, fractionLost: UInt8(min(255, loss * 256))),
        at: NTPTime(microsecondsSince1970: 0))
      return streams.expectedLoss
    }
    #expect(report(0.004) == 0)
    #expect(report(0.02) == 5)
    #expect(report(0.12) == 15)
    #expect(report(1) == 25)
    var values: [Int] = []
    for _ in 0..<20 { values.append(report(0)) }
    #expect(values == values.sorted(by: >))
    #expect(values.last == 0)
    #expect(values[3] > 0)
  }
}
