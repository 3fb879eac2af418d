import MeetingModel
import RTP
import TestSupport
import Testing

@testable import Media

/// Tests of video over a link with a queue. The receiver acknowledges the packets that arrive.
@Suite struct VideoPacingTests {
  /// A camera at 30 frames per second, and a receiver behind a link.
  private struct Link {
    var meeting: VideoMeeting
    var bytesPerSecond: Double
    /// The waiting times of packets in the queue, in milliseconds.
    var waits: [Double] = []
    /// The packets of the camera that arrived.
    var arrived: [[UInt8]] = []
    private var log = ArrivalLog()
    private var waiting: [(bytes: [UInt8], at: MonotonicTime)] = []
    private var credit = 0.0
    private var steps = 0

    init(_ meeting: VideoMeeting, kilobits: Double) {
      self.meeting = meeting
      bytesPerSecond = kilobits * 125
    }

    mutating func run(seconds: Double, filming: Bool = true) {
      for _ in 0..<Int(seconds * 100) {
        steps += 1
        if filming, steps % 3 == 0 {
          for packet in meeting.publisher.nextFrame() { meeting.receive(packet) }
        }
        meeting.now = meeting.now.advanced(byUs: 10_000)
        if steps % 2 == 0 { meeting.tick() }
        _ = meeting.takeRequests()
        carry()
        if steps % 5 == 0 { acknowledge() }
      }
    }

    private mutating func carry() {
      waiting += meeting.takeVideo().map { ($0, meeting.now) }
      credit = min(credit, 1_500) + bytesPerSecond / 100
      while let first = waiting.first, credit >= Double(first.bytes.count) {
        waiting.removeFirst()
        credit -= Double(first.bytes.count)
        waits.append(Double((meeting.now - first.at).wholeUs) / 1_000)
        guard let packet = RTPPacket(first.bytes.span) else { continue }
        log.receive(packet.ssrc, packet.sequence, at: meeting.now)
        if packet.ssrc == VideoMeeting.trackSSRC { arrived.append(first.bytes) }
      }
    }

    private mutating func acknowledge() {
      var writer = RTCPWriter()
      log.takeFeedback(sender: 1, at: meeting.now, within: 1_400, into: &writer)
      if !writer.isEmpty { meeting.receive(writer.bytes, from: VideoMeeting.grace) }
    }

    mutating func takeReports() -> [DownlinkReport] {
      var reports: [DownlinkReport] = []
      meeting.router.takeDownlinkReports(at: meeting.now) { reports.append($1) }
      return reports
    }
  }

  /// Returns a meeting with a camera that sends 600 kbit/s in one size.
  private func camera(isLowered: Bool = false) -> VideoMeeting {
    var meeting = VideoMeeting(layers: [11])
    meeting.router.decide(
      [
        ForwardingDecision(
          tile: VideoMeeting.tile, layer: 1, isLowered: isLowered, bitsPerSecond: 600_000)
      ], for: VideoMeeting.grace, at: meeting.now
    ) { _, _ in }
    return meeting
  }

  @Test func `video is not delayed on a link with enough capacity`() {
    var link = Link(camera(), kilobits: 20_000)
    link.run(seconds: 6)
    #expect(link.meeting.router.counters.held == 0)
    #expect(link.waits.max() ?? 99 <= 20)
    #expect(link.takeReports().last?.bitsPerSecond ?? 0 >= 700_000)
  }

  @Test func `video packets wait for a slow link, and the router drops whole frames`()
    throws
  {
    var link = Link(camera(isLowered: true), kilobits: 250)
    link.run(seconds: 10)
    #expect(link.meeting.router.counters.held > 0)
    let later = link.waits.dropFirst(link.waits.count / 2).sorted()
    #expect(later[later.count * 95 / 100] <= 300)
    let report = try #require(link.takeReports().last)
    #expect((180_000...320_000).contains(report.bitsPerSecond), "\(report)")
    #expect(report.starvedTiles == [VideoMeeting.tile])
    // Only whole frames arrive, and the packets' sequence numbers have no gap.
    let packets = try link.arrived.map { try #require(RTPPacket($0)) }
    let steps = zip(packets, packets.dropFirst()).map { $0.sequence.distance(to: $1.sequence) }
    #expect(steps.allSatisfy { $0 == 1 })
    var assembler = FrameAssembler(.vp8)
    var (frames, keyFrames) = (0, 0)
    for (packet, bytes) in zip(packets, link.arrived) {
      assembler.insert(packet, bytes.span, at: link.meeting.now)
      while let frame = assembler.next(at: link.meeting.now) {
        frames += 1
        keyFrames += frame.isKeyFrame ? 1 : 0
      }
    }
    #expect(assembler.lostPackets == 0)
    #expect(frames > 20)
    #expect(keyFrames > 1)
  }

  @Test func `the router uses a link fully after the link's capacity returns`() throws {
    var link = Link(camera(isLowered: true), kilobits: 100)
    link.run(seconds: 8)
    #expect(try #require(link.takeReports().last).bitsPerSecond < 200_000)
    link.bytesPerSecond = 2_500_000
    link.run(seconds: 4)
    #expect(try #require(link.takeReports().last).bitsPerSecond > 800_000)
    link.run(seconds: 2)
    #expect(try #require(link.takeReports().last).starvedTiles == [])
  }

  @Test func `a tile is reported as stalled if the link passes no packets`() throws {
    var link = Link(camera(), kilobits: 5_000)
    link.run(seconds: 3)
    #expect(try #require(link.takeReports().last).stalledTiles == [])
    link.bytesPerSecond = 0
    link.run(seconds: 4)
    #expect(try #require(link.takeReports().last).stalledTiles == [VideoMeeting.tile])
  }

  @Test func `a tile is not reported as stalled if the publisher stops`() throws {
    var link = Link(camera(), kilobits: 5_000)
    link.run(seconds: 3)
    link.run(seconds: 4, filming: false)
    #expect(try #require(link.takeReports().last).stalledTiles == [])
  }
}

@Suite struct WaitingVideoTests {
  private func packet(
    _ forwarder: Int, _ priority: VideoPriority, _ number: Int64, frame: UInt32 = 1,
    bytes: Int = 100
  ) -> WaitingVideo.Packet {
    WaitingVideo.Packet(
      forwarder: forwarder, priority: priority, layer: 1, number: number, timestamp: frame,
      bytes: bytes)
  }

  @Test
  func `the most important packets leave first, and equally important packets leave in order`() {
    var waiting = WaitingVideo()
    waiting.append(packet(1, .low, 1))
    waiting.append(packet(2, .highest, 1))
    waiting.append(packet(1, .low, 2))
    waiting.append(packet(2, .highest, 2))
    var left: [[Int64]] = []
    while let next = waiting.next {
      left.append([Int64(next.forwarder), next.number])
      waiting.removeNext()
    }
    #expect(left == [[2, 1], [2, 2], [1, 1], [1, 2]])
    #expect(waiting.bytes == 0)
  }

  @Test
  func `the router drops the largest of the least important streams, but no partly sent frame`() {
    var waiting = WaitingVideo()
    waiting.append(packet(1, .low, 1))
    waiting.append(packet(2, .low, 1, frame: 1, bytes: 300))
    waiting.append(packet(2, .low, 2, frame: 2, bytes: 300))
    waiting.append(packet(3, .high, 1, bytes: 5_000))
    #expect(waiting.first == 2)
    let kept = waiting.removeAll(of: 2, butOf: 1)
    #expect(kept == 1)
    #expect(waiting.bytes == 5_400)
    #expect(waiting.first == 2)
    let left = waiting.removeAll(of: 2, butOf: nil)
    #expect(left == 0)
    #expect(waiting.first == 1)
  }
}
