import MeetingModel
import Testing

@testable import Media

@Suite struct LinkRTPParametersTests {
  @Test(
    arguments: [
      (111, LinkRTPParameters.Format.opus), (96, .video(.vp8)), (97, .video(.h264)),
      (98, .video(.vp9)),
      (99, .video(.av1)), (100, nil), (0, nil),
    ] as [(UInt8, LinkRTPParameters.Format?)])
  func `each payload type identifies one format`(
    payloadType: UInt8, format: LinkRTPParameters.Format?
  ) {
    #expect(LinkRTPParameters.carillon.format(of: payloadType) == format)
  }

  @Test func `a codec has no payload type if the client does not support the codec`() {
    let numbers = LinkRTPParameters(opus: 109, vp8: nil, h264: 126, audioLevel: nil)
    #expect(numbers.payloadType(of: .vp8) == nil)
    #expect(numbers.payloadType(of: .h264) == 126)
    #expect(numbers.padding == 126)
  }

  @Test func `a receiver gets no packets in a codec that the receiver does not support`() throws {
    var meeting = VideoMeeting(layers: [11])
    let link = ReceiverLink(VideoForwardingParameters(), at: meeting.now)
    link.reset(
      at: meeting.now, numbers: LinkRTPParameters(opus: 1, vp8: nil, h264: 2, audioLevel: nil))
    meeting.router.decide(
      [ForwardingDecision(tile: VideoMeeting.tile, layer: 1)], for: VideoMeeting.grace,
      over: link, at: meeting.now
    ) { _, _ in }
    meeting.sendFrame()
    #expect(meeting.takeVideo().isEmpty)
    var camera = H264Publisher(ssrc: 11)
    meeting.change(to: .h264)
    for packet in camera.nextFrame() { meeting.receive(packet) }
    let sent = meeting.takeVideo()
    #expect(!sent.isEmpty)
    #expect(sent.allSatisfy { RTPNumbers($0)?.ssrc == VideoMeeting.trackSSRC })
    #expect(sent.allSatisfy { $0[1] & 0x7F == 2 })
  }
}
