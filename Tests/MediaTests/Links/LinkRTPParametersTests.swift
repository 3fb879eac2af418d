import MeetingModel
import RTP
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

  @Test func `a client with two packetization modes of H.264 sends both and gets mode 1`() {
    var numbers = LinkRTPParameters(opus: 109, vp8: nil, h264: 126, h264SingleUnits: 97)
    #expect(numbers.format(of: 126) == .video(.h264) && numbers.format(of: 97) == .video(.h264))
    #expect(numbers.payloadType(of: .h264) == 126)
    numbers.h264 = nil
    #expect(numbers.format(of: 126) == nil)
    #expect(numbers.payloadType(of: .h264) == 97 && numbers.padding == 97)
  }

  /// Sends a camera's video to a receiver that accepts only packetization mode 0.
  ///
  /// - Returns: The payloads that the receiver got, and the number of key frame requests to the
  ///   camera after the receiver has requested key frames.
  private func sendToSingleUnitReceiver(
    _ camera: inout H264Publisher, frames: Int
  ) -> (payloads: [[UInt8]], requests: Int) {
    var meeting = VideoMeeting(layers: [11], codec: .h264)
    let link = ReceiverLink(VideoForwardingParameters(), at: meeting.now)
    link.reset(
      at: meeting.now, numbers: LinkRTPParameters(opus: 1, vp8: nil, h264SingleUnits: 2))
    meeting.router.decide(
      [ForwardingDecision(tile: VideoMeeting.tile, layer: 1)], for: VideoMeeting.grace,
      over: link, at: meeting.now
    ) { _, _ in }
    for frame in 0..<frames {
      camera.needsKeyFrame = frame % 4 == 0
      for packet in camera.nextFrame() { meeting.receive(packet) }
      meeting.now = meeting.now.advanced(byUs: 33_333)
    }
    _ = meeting.takeSent(to: VideoMeeting.ada)
    let before = meeting.router.counters.keyFrameRequests
    for _ in 0..<100 {
      meeting.now = meeting.now.advanced(byUs: 50_000)
      meeting.requestKeyFrame()
      meeting.tick()
    }
    let requests = meeting.router.counters.keyFrameRequests - before
    let payloads: [[UInt8]] = meeting.takeVideo().compactMap { bytes in
      guard let packet = RTPPacket(bytes.span), packet.payloadType == 2 else { return nil }
      return Array(bytes[packet.payload])
    }
    return (payloads, Int(requests))
  }

  @Test func `a receiver of packetization mode 0 gets the packets of a source in mode 0`() {
    var camera = H264Publisher(ssrc: 11)
    camera.usesSingleUnits = true
    let (payloads, requests) = sendToSingleUnitReceiver(&camera, frames: 8)
    // The first key frame has two parameter sets. The second key frame has none, and media adds
    // none, because media sends several sets in one packet.
    #expect(payloads.map { $0[0] & 0x1F } == [7, 8, 5, 1, 1, 1, 5, 1, 1, 1])
    #expect(requests > 0)
  }

  @Test func `a receiver of packetization mode 0 gets no packets of a source in mode 1`() {
    var camera = H264Publisher(ssrc: 11)
    let (payloads, requests) = sendToSingleUnitReceiver(&camera, frames: 8)
    #expect(payloads.isEmpty)
    #expect(requests == 0)
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
