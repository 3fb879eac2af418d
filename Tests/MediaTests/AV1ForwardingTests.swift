import MeetingModel
import RTP
import TestSupport
import Testing

@testable import Media

@Suite struct AV1ForwardingTests {
  private static func meeting(spatialLayers: Int = 1) -> (VideoMeeting, AV1Publisher) {
    var publisher = AV1Publisher(ssrc: 11)
    publisher.spatialLayers = spatialLayers
    return (VideoMeeting(layers: [11], codec: .av1), publisher)
  }

  private static func send(
    _ count: Int, by publisher: inout AV1Publisher, in meeting: inout VideoMeeting,
    refusal: VideoRefusal? = nil
  ) -> AV1Viewing {
    for _ in 0..<count {
      for packet in publisher.nextFrame() {
        let outcome = meeting.receive(packet)
        #expect(outcome == refusal)
      }
      meeting.now = meeting.now.advanced(byUs: 33_333)
    }
    return AV1Viewing(meeting.takeVideo())
  }

  @Test(arguments: [1, 3])
  func `a source is forwarded whole, with its descriptors`(spatialLayers: Int) {
    var (meeting, publisher) = Self.meeting(spatialLayers: spatialLayers)
    meeting.want(1)
    let seen = Self.send(40, by: &publisher, in: &meeting)
    #expect(seen.pictures == 40 && seen.packets.count == 80 * spatialLayers)
    #expect(seen.sequenceSteps.allSatisfy { $0 == 1 })
    #expect(seen.frameNumbers.count == seen.packets.count)
    #expect(seen.frameSteps == (1..<seen.packets.count).map { $0 % 2 == 0 ? 1 : 0 })
    #expect(seen.descriptorBytes.filter { $0 == 63 }.count == 1)
    #expect(Set(seen.packets.map(\.ssrc)) == [VideoMeeting.trackSSRC])
    #expect(Set(seen.packets.map(\.payloadType)) == [99])
  }

  @Test func `a source with neither descriptors nor spatial layers is forwarded whole`() {
    var (meeting, publisher) = Self.meeting()
    publisher.hasDescriptors = false
    meeting.want(1)
    let seen = Self.send(40, by: &publisher, in: &meeting)
    #expect(seen.pictures == 40 && seen.frameNumbers.isEmpty)
    #expect(seen.sequenceSteps.allSatisfy { $0 == 1 })
  }

  @Test func `a source with spatial layers and no descriptors is refused`() {
    var (meeting, publisher) = Self.meeting(spatialLayers: 3)
    publisher.hasDescriptors = false
    meeting.want(1)
    #expect(
      Self.send(10, by: &publisher, in: &meeting, refusal: .malformed).packets.isEmpty)
  }

  @Test func `a receiver without descriptors gets no spatial layers, and requests no key frames`() {
    for layers in [1, 3] {
      var (meeting, publisher) = Self.meeting(spatialLayers: layers)
      var numbers = LinkRTPParameters.carillon
      numbers.dependencyDescriptor = nil
      let link = ReceiverLink(VideoForwardingParameters(), at: meeting.now)
      link.reset(at: meeting.now, numbers: numbers)
      meeting.router.decide([], for: VideoMeeting.grace, over: link, at: meeting.now) { _, _ in }
      #expect(meeting.router.link(of: VideoMeeting.grace) === link)
      meeting.want(1)
      #expect(Self.send(20, by: &publisher, in: &meeting).pictures == (layers == 1 ? 20 : 0))
      _ = meeting.takeSent(to: VideoMeeting.ada)
      for _ in 0..<100 {
        meeting.tick()
        meeting.now = meeting.now.advanced(byUs: 33_333)
      }
      let requests = meeting.takeSent(to: VideoMeeting.ada).filter { bytes in
        var reader = RTCPReader()
        while let packet = reader.next(in: bytes.span) {
          if case .pictureLoss = packet { return true }
        }
        return false
      }
      #expect(requests.isEmpty)
    }
  }

  /// The receiver acknowledges all packets, so the router sends padding to it in a separate stream.
  @Test(arguments: [true, false])
  func `media probes a link only if the receiver can decode a source`(decodes: Bool) {
    var (meeting, publisher) = Self.meeting(spatialLayers: 3)
    var numbers = LinkRTPParameters.carillon
    if !decodes { numbers.dependencyDescriptor = nil }
    let link = ReceiverLink(VideoForwardingParameters(), at: meeting.now)
    link.reset(at: meeting.now, numbers: numbers)
    meeting.router.decide(
      [ForwardingDecision(tile: VideoMeeting.tile, layer: 1, isLowered: true)],
      for: VideoMeeting.grace, over: link, at: meeting.now
    ) { _, _ in }
    link.receive(ArrivalReport(), isBacklogged: false, at: meeting.now)
    var arrivals = ArrivalLog()
    var count = 0
    for _ in 0..<300 {
      for packet in publisher.nextFrame() { meeting.receive(packet) }
      for _ in 0..<3 {
        meeting.now = meeting.now.advanced(byUs: 11_111)
        meeting.tick()
      }
      let packets = meeting.takeVideo().compactMap { RTPPacket($0.span) }
      count += packets.count
      for packet in packets { arrivals.receive(packet.ssrc, packet.sequence, at: meeting.now) }
      guard arrivals.freshPackets > 0 else { continue }
      var feedback = RTCPWriter()
      arrivals.takeFeedback(sender: 5, at: meeting.now, within: 1_200, into: &feedback)
      meeting.receive(feedback.bytes, from: VideoMeeting.grace)
    }
    #expect((meeting.router.counters.padding > 0) == decodes)
    #expect((count > 0) == decodes)
  }

  @Test func `a receiver begins at a key frame only`() {
    var (meeting, publisher) = Self.meeting(spatialLayers: 2)
    _ = Self.send(3, by: &publisher, in: &meeting)
    meeting.want(1)
    #expect(Self.send(3, by: &publisher, in: &meeting).packets.isEmpty)
    publisher.needsKeyFrame = true
    let seen = Self.send(3, by: &publisher, in: &meeting)
    #expect(seen.pictures == 3 && seen.descriptorBytes.first == 63)
  }

  @Test func `frame numbers continue when the publisher starts again`() throws {
    var (meeting, publisher) = Self.meeting(spatialLayers: 2)
    meeting.want(1)
    let before = try #require(Self.send(6, by: &publisher, in: &meeting).frameNumbers.last)
    var other = AV1Publisher(ssrc: 12)
    (other.spatialLayers, other.frameNumber) = (2, 7)
    meeting.change(to: .av1, layers: [12])
    let seen = Self.send(6, by: &other, in: &meeting)
    #expect(seen.pictures == 6 && seen.frameNumbers.first == before &+ 1)
  }

  @Test(arguments: [[0x10], [0x20, 9, 0x30, 1], [0x98, 0x30], [0x18, 0x30, 7]] as [[UInt8]])
  func `a malformed payload is dropped`(payload: [UInt8]) {
    var meeting = VideoMeeting(layers: [11], codec: .av1)
    meeting.want(1)
    var packet: [UInt8] = []
    OutgoingRTPHeader(payloadType: 99, sequence: SequenceNumber(1), timestamp: 0, ssrc: 11)
      .begin(in: &packet)
    let refusal = meeting.receive(packet + payload)
    #expect(refusal == .malformed)
    #expect(meeting.takeVideo().isEmpty)
  }
}
