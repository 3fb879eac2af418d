import Testing
import WebRTC
import Wire

@testable import Media

@Suite struct NegotiateReplyTests {
  /// Returns the codecs that a browser decodes according to the reply to its offer.
  ///
  /// - Parameter codecs: The codecs of the offer: the value of `a=rtpmap`, and the packetization
  ///   mode of H.264.
  private func decodedCodecs(
    ofOffer codecs: [(encoding: String, mode: Int?)]
  ) throws -> [V1.VideoCodec] {
    let numbers = codecs.indices.map { String(100 + $0) }
    var lines = [
      "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
      "m=video 9 UDP/TLS/RTP/SAVPF " + numbers.joined(separator: " "),
      "a=ice-ufrag:F7gI", "a=ice-pwd:x9cml/YzichV2+XlhiMu8g1W",
      "a=fingerprint:sha-256 " + Array(repeating: "4A", count: 32).joined(separator: ":"),
      "a=setup:actpass", "a=mid:0", "a=recvonly",
    ]
    for (number, codec) in zip(numbers, codecs) {
      lines.append("a=rtpmap:\(number) \(codec.encoding)/90000")
      guard let mode = codec.mode else { continue }
      lines.append("a=fmtp:\(number) profile-level-id=42e01f;packetization-mode=\(mode)")
    }
    let offer = try SDPOffer(lines.map { $0 + "\r\n" }.joined())
    let media = try NegotiatedMedia(answering: offer, sending: [VideoTrack(ssrc: 7)])
    return V1.NegotiateReply((text: "", media: media), term: 1).canDecode
  }

  @Test func `a browser decodes the codecs that it accepts, each once`() throws {
    let codecs = try decodedCodecs(
      ofOffer: [("VP9", nil), ("H264", 1), ("H264", 0), ("VP8", nil), ("H265", nil), ("AV1", nil)])
    #expect(codecs == [.vp9, .h264, .vp8, .av1])
  }

  @Test func `a browser that accepts only packetization mode 0 does not count for H.264`() throws {
    #expect(try decodedCodecs(ofOffer: [("H264", 0), ("VP8", nil)]) == [.vp8])
    #expect(try decodedCodecs(ofOffer: [("H264", 0), ("H264", 0)]) == [.h264])
    #expect(try decodedCodecs(ofOffer: [("H264", 0), ("H264", 1)]) == [.h264])
  }
}
