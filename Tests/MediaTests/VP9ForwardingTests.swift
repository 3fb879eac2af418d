import MeetingModel
import RTP
import TestSupport
import Testing

@testable import Media

@Suite struct VP9ForwardingTests {
  private static func meeting(spatialLayers: Int = 1) -> (VideoMeeting, VP9Publisher) {
    var publisher = VP9Publisher(ssrc: 11)
    publisher.spatialLayers = spatialLayers
    return (VideoMeeting(layers: [11], codec: .vp9), publisher)
  }

  private static func send(
    _ count: Int, by publisher: inout VP9Publisher, in meeting: inout VideoMeeting
  ) -> VP9Viewing {
    for _ in 0..<count {
      for packet in publisher.nextFrame() {
        let refusal = meeting.receive(packet)
        #expect(refusal == nil)
      }
      meeting.now = meeting.now.advanced(byUs: 33_333)
    }
    return VP9Viewing(meeting.takeVideo())
  }

  @Test func `a source with three spatial layers is forwarded whole`() {
    var (meeting, publisher) = Self.meeting(spatialLayers: 3)
    meeting.want(1)
    let seen = Self.send(40, by: &publisher, in: &meeting)
    #expect(seen.pictures.count == 40 && seen.packets.count == 240)
    #expect(seen.pictures.allSatisfy { $0.layers == [0, 1, 2] && $0.isMarked })
    #expect(seen.sequenceSteps.allSatisfy { $0 == 1 })
    #expect(seen.pictureSteps.allSatisfy { $0 == 1 })
    #expect(Set(seen.packets.map(\.ssrc)) == [VideoMeeting.trackSSRC])
    #expect(Set(seen.packets.map(\.payloadType)) == [98])
  }

  @Test(arguments: [1, 2])
  func `picture ids keep their differences when higher temporal layers are dropped`(limit: Int) {
    var (meeting, publisher) = Self.meeting(spatialLayers: 2)
    meeting.want(1, temporalLayers: limit)
    let seen = Self.send(40, by: &publisher, in: &meeting)
    #expect(seen.pictures.count == (limit == 1 ? 10 : 20))
    #expect(seen.pictures.allSatisfy { $0.temporalLayer < limit && $0.layers == [0, 1] })
    #expect(seen.sequenceSteps.allSatisfy { $0 == 1 })
    #expect(seen.pictureSteps.allSatisfy { $0 == (limit == 1 ? 4 : 2) })
    let base = seen.pictures.filter { $0.temporalLayer == 0 }.map(\.baseLayerIndex)
    #expect(zip(base, base.dropFirst()).allSatisfy { $1 &- $0 == 1 })
  }

  @Test func `higher temporal layers return after a switching point`() {
    var (meeting, publisher) = Self.meeting()
    meeting.want(1, temporalLayers: 1)
    _ = Self.send(9, by: &publisher, in: &meeting)
    meeting.want(1)
    let seen = Self.send(8, by: &publisher, in: &meeting)
    #expect(seen.pictures.map(\.temporalLayer) == [0, 2, 1, 2, 0])
    #expect(seen.pictureSteps == [1, 1, 1, 1])
  }

  @Test func `picture ids continue after a change of codec`() throws {
    var (meeting, publisher) = Self.meeting()
    meeting.want(1)
    let before = try #require(Self.send(6, by: &publisher, in: &meeting).pictures.last)
    meeting.change(to: .vp8)
    let frame = meeting.publisher.nextFrame()
    for packet in frame { meeting.receive(packet) }
    let first = try #require(meeting.takeVideo().first)
    let packet = try #require(RTPPacket(first))
    let read = VP8Descriptor.read(first.span.extracting(packet.payload))
    let descriptor = try #require(read?.descriptor)
    #expect(descriptor.pictureID?.value == (before.id + 1) & 0x7FFF)
    #expect(packet.payloadType == 96 && packet.ssrc == VideoMeeting.trackSSRC)
  }

  @Test func `a receiver's video begins only at a key frame`() {
    var (meeting, publisher) = Self.meeting(spatialLayers: 2)
    _ = Self.send(3, by: &publisher, in: &meeting)
    meeting.want(1)
    #expect(Self.send(3, by: &publisher, in: &meeting).pictures.isEmpty)
    publisher.needsKeyFrame = true
    let seen = Self.send(3, by: &publisher, in: &meeting)
    #expect(seen.pictures.count == 3 && seen.pictures.first?.layers == [0, 1])
  }

  @Test(arguments: [[0x88], [0x88, 1, 0x92], [0x08, 0xA2]] as [[UInt8]])
  func `a payload of another profile or without data is dropped`(payload: [UInt8]) {
    var meeting = VideoMeeting(layers: [11], codec: .vp9)
    meeting.want(1)
    var packet: [UInt8] = []
    OutgoingRTPHeader(payloadType: 98, sequence: SequenceNumber(1), timestamp: 0, ssrc: 11)
      .begin(in: &packet)
    let refusal = meeting.receive(packet + payload)
    #expect(refusal == .malformed)
    #expect(meeting.takeVideo().isEmpty)
  }
}
