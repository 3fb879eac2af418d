import LongComputation
import MeetingModel
import RTP
import TestSupport
import Testing

@testable import Media

/// Tests of receivers whose lost packets media can no longer send again.
@Suite(.longComputation) struct UnrecoverableLossTests {
  /// A meeting with one layer, after `frames` frames, and the packets that the receiver got.
  private func meeting(frames: Int) -> (VideoMeeting, [[UInt8]]) {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for _ in 0..<frames { meeting.sendFrame() }
    _ = meeting.takeRequests()
    meeting.publisher.layers[0].needsKeyFrame = false
    let packets = meeting.takeVideo()
    return (meeting, packets)
  }

  private func nack(_ numbers: [SequenceNumber]) -> [UInt8] {
    var writer = RTCPWriter()
    writer.addNack(sender: 5, media: VideoMeeting.trackSSRC, missing: numbers.span)
    return writer.bytes
  }

  private func nack(_ packet: [UInt8]) throws -> [UInt8] {
    nack([try #require(RTPPacket(packet)).sequence])
  }

  /// Returns whether media has requested a key frame from the publisher since the last call.
  private func takeKeyFrameRequest(_ meeting: inout VideoMeeting) -> Bool {
    _ = meeting.takeRequests()
    defer { meeting.publisher.layers[0].needsKeyFrame = false }
    return meeting.publisher.layers[0].needsKeyFrame
  }

  @Test(arguments: [60, 300])
  func `a receiver that requests a packet too late gets a key frame`(laterFrames: Int) throws {
    var (meeting, packets) = meeting(frames: 10)
    let lost = packets[8]
    for _ in 0..<laterFrames { meeting.sendFrame() }
    _ = meeting.takeVideo()
    meeting.receive(try nack(lost), from: VideoMeeting.grace)
    #expect(meeting.takeVideo().isEmpty)
    _ = meeting.takeRequests()
    #expect(meeting.publisher.layers[0].needsKeyFrame)
    meeting.sendFrame()
    #expect(FrameLabel(packet: meeting.takeVideo()[0])?.isKey == true)
    // The receiver no longer needs the packets before the key frame.
    for _ in 0..<60 { meeting.sendFrame() }
    meeting.receive(try nack(lost), from: VideoMeeting.grace)
    meeting.tick()
    #expect(!takeKeyFrameRequest(&meeting))
  }

  @Test func `a receiver gets a key frame if all retransmissions of a packet were lost`() throws {
    var (meeting, packets) = meeting(frames: 10)
    let request = try nack(packets[8])
    let limit = Int(VideoForwardingParameters().maximumResends)
    for _ in 0..<limit {
      meeting.receive(request, from: VideoMeeting.grace)
      #expect(meeting.takeVideo().count == 1)
      meeting.now = meeting.now.advanced(byUs: 30_000)
    }
    // The last retransmission may still arrive.
    meeting.receive(request, from: VideoMeeting.grace)
    #expect(!takeKeyFrameRequest(&meeting))
    // The minimum time between two key frame requests passes.
    meeting.now = meeting.now.advanced(byUs: 1_000_000)
    meeting.receive(request, from: VideoMeeting.grace)
    #expect(takeKeyFrameRequest(&meeting))
  }

  @Test func `a receiver that requests packets that were never sent gets no key frame`() throws {
    var (meeting, packets) = meeting(frames: 60)
    let first = try #require(RTPPacket(packets[0])).sequence
    let last = try #require(RTPPacket(packets[packets.count - 1])).sequence
    meeting.now = meeting.now.advanced(byUs: 2_000_000)
    let others = (1...100).flatMap { [first.advanced(by: -$0), last.advanced(by: $0)] }
    meeting.receive(nack(others), from: VideoMeeting.grace)
    meeting.tick()
    #expect(!takeKeyFrameRequest(&meeting))
  }

  @Test func `endless requests of old packets cause few key frame requests`() throws {
    var (meeting, packets) = meeting(frames: 10)
    for _ in 0..<60 { meeting.sendFrame() }
    let before = meeting.router.counters.keyFrameRequests
    for _ in 0..<300 {
      meeting.receive(try nack(packets[8]), from: VideoMeeting.grace)
      meeting.tick()
      meeting.now = meeting.now.advanced(byUs: 10_000)
    }
    #expect((1...7).contains(meeting.router.counters.keyFrameRequests - before))
  }

  // MARK: The start of a track

  @Test(arguments: 1...3)
  func `a key frame is complete although its first packets were lost on the way to media`(
    lost: Int
  ) {
    var meeting = VideoMeeting(layers: [11])
    meeting.publisher.frameBytes = 5_000
    meeting.want(1)
    let frame = meeting.publisher.nextFrame()
    #expect(frame.count > 4)
    for packet in frame.dropFirst(lost) { meeting.receive(packet) }
    #expect(meeting.takeVideo().isEmpty)
    meeting.now = meeting.now.advanced(byUs: 20_000)
    meeting.tick()
    let requested = Set(meeting.takeRequests()[11] ?? [])
    let again = frame.filter { bytes in
      RTPPacket(bytes.span).map { requested.contains($0.sequence.rawValue) } == true
    }
    #expect(again == Array(frame.prefix(lost)))
    // The last lost packet arrives first.
    for packet in again.reversed() { meeting.receive(packet) }
    #expect(meeting.takeVideo().count == frame.count)
    let requests = meeting.router.counters.keyFrameRequests
    for _ in 0..<60 {
      meeting.sendFrame()
      meeting.tick()
    }
    #expect(meeting.router.counters.keyFrameRequests == requests)
  }

  @Test func `a receiver that lost the start of a track gets the start again, once`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for _ in 0..<6 { meeting.sendFrame() }
    let start = meeting.takeVideo()
    #expect(FrameLabel(packet: start[0])?.isKey == true)
    // The receiver acknowledges packets.
    meeting.router.links[VideoMeeting.grace.index]?.receive(
      ArrivalReport(), isBacklogged: false, at: meeting.now)
    meeting.requestKeyFrame()
    #expect(meeting.takeVideo() == start)
    meeting.sendFrame()
    _ = meeting.takeVideo()
    meeting.requestKeyFrame()
    #expect(meeting.takeVideo().isEmpty)
    // The router requests a new key frame only a second after its first request.
    #expect(meeting.router.counters.keyFrameRequests == 1)
  }

  @Test func `a receiver that gets a track again does not get the track's start again`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for _ in 0..<6 { meeting.sendFrame() }
    meeting.want(0)
    meeting.now = meeting.now.advanced(byUs: 1_000_000)
    meeting.want(1)
    _ = meeting.takeRequests()
    meeting.sendFrame()
    #expect(!meeting.takeVideo().isEmpty)
    meeting.router.links[VideoMeeting.grace.index]?.receive(
      ArrivalReport(), isBacklogged: false, at: meeting.now)
    meeting.requestKeyFrame()
    #expect(meeting.takeVideo().isEmpty)
  }

  // MARK: Layer switches

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `layer switches with packet loss neither stall video nor break pictures`(seed: UInt64) {
    var (meeting, receiver) = (VideoMeeting(seed: seed, layers: [11, 12]), OrderedReceiver())
    var (down, up) = (BurstLoss(seed: seed), BurstLoss(seed: seed + 1_000))
    meeting.want(1)
    for step in 0..<5_400 {
      if step % 270 == 269 { meeting.want(step / 270 % 2 + 1) }
      if step % 3 == 0 {
        for packet in meeting.publisher.nextFrame() { meeting.receive(packet) }
      }
      meeting.now = meeting.now.advanced(byUs: 11_111)
      meeting.tick()
      _ = meeting.takeRequests()
      for packet in meeting.takeVideo() where !down.takesNext() {
        receiver.receive(packet, at: meeting.now)
      }
      let missing = receiver.takeMissing(at: meeting.now)
      if !missing.isEmpty, !up.takesNext() {
        meeting.receive(nack(missing), from: VideoMeeting.grace)
      }
    }
    #expect(down.lost > 200)
    #expect(receiver.shown.count > 1_500)
    #expect(receiver.longestStallUs < 2_000_000)
    #expect(Set(receiver.shown.map(\.layer)) == [1, 2])
    for (earlier, later) in zip(receiver.shown, receiver.shown.dropFirst()) where !later.isKey {
      #expect(later.layer == earlier.layer && later.index == earlier.index + 1)
    }
  }
}

/// A receiver that shows each frame after the previous frame, as browsers do.
///
/// If packets are missing, the receiver requests these packets every 100 ms, and continues with the
/// next complete key frame. The receiver never requests a key frame.
private struct OrderedReceiver {
  private(set) var shown: [FrameLabel] = []
  private(set) var longestStallUs: Int64 = 0
  private var packets: [Int64: [UInt8]] = [:]
  private var unwrapper = SequenceUnwrapper()

  /// The number of the next packet to show; `nil` before the first frame.
  private var next: Int64?
  private var highest: Int64 = .min
  private var askedAt = MonotonicTime(microseconds: 0)
  private var shownAt: MonotonicTime?

  mutating func receive(_ bytes: [UInt8], at now: MonotonicTime) {
    guard let packet = RTPPacket(bytes) else { return }
    let number = unwrapper.unwrap(packet.sequence)
    highest = max(highest, number)
    guard number >= next ?? .min else { return }
    packets[number] = bytes
    while let start = next, let end = endOfFrame(from: start) { show(start, end, at: now) }
    guard let (start, end) = nextKeyFrame() else { return }
    show(start, end, at: now)
    while let start = next, let end = endOfFrame(from: start) { show(start, end, at: now) }
  }

  private mutating func show(_ start: Int64, _ end: Int64, at now: MonotonicTime) {
    if let label = packets[start].flatMap({ FrameLabel(packet: $0) }) { shown.append(label) }
    if let shownAt { longestStallUs = max(longestStallUs, now.microseconds(since: shownAt)) }
    (next, shownAt) = (end + 1, now)
    packets = packets.filter { $0.key > end }
  }

  /// Returns the number of the last packet of a complete frame; `nil` if a packet is missing.
  private func endOfFrame(from start: Int64) -> Int64? {
    var number = start
    while let bytes = packets[number], let packet = RTPPacket(bytes) {
      if packet.isMarked { return number }
      number += 1
    }
    return nil
  }

  private func nextKeyFrame() -> (start: Int64, end: Int64)? {
    for number in packets.keys.sorted() {
      guard let bytes = packets[number], FrameLabel(packet: bytes)?.isKey == true,
        let end = endOfFrame(from: number)
      else { continue }
      return (number, end)
    }
    return nil
  }

  mutating func takeMissing(at now: MonotonicTime) -> [SequenceNumber] {
    guard let next, next < highest, now.microseconds(since: askedAt) >= 100_000 else { return [] }
    askedAt = now
    return (next..<highest).filter { packets[$0] == nil }.map {
      SequenceNumber(UInt16(truncatingIfNeeded: $0))
    }
  }
}
