import Testing

@testable import WebRTC

struct FormatParametersTests {
  @Test(arguments: [
    "packetization-mode=1;profile-level-id=42e01f",
    "profile-level-id=42E01F; Packetization-Mode=1",
    " level-asymmetry-allowed=1 ; profile-level-id = 42e01f ;packetization-mode=1; ",
    "packetization-mode=1;profile-level-id=42c00d",
    "packetization-mode=1;profile-level-id=42401f",
    "packetization-mode=1;profile-level-id=4d801f",
    "packetization-mode=1;profile-level-id=58c01f",
  ])
  func `H.264 in the constrained baseline profile is accepted`(parameters: String) throws {
    let codecs = try Self.codecs(h264: parameters)
    #expect(codecs[0].isTaken && codecs[0].packetizationMode == 1)
  }

  @Test(arguments: [
    "profile-level-id=42e01f",
    "packetization-mode=0;profile-level-id=42e01f",
    "x-packetization-mode=1;profile-level-id=42e01f",
  ])
  func `H.264 with one NAL unit in each packet is accepted`(parameters: String) throws {
    let codecs = try Self.codecs(h264: parameters)
    #expect(codecs[0].isTaken && codecs[0].packetizationMode == 0)
  }

  @Test(arguments: [
    "",
    "packetization-mode=0",
    "packetization-mode=2;profile-level-id=42e01f",
    "packetization-mode=10;profile-level-id=42e01f",
    "packetization-mode=0;profile-level-id=42001f",
    "packetization-mode=1;x-profile-level-id=42e01f",
    "packetization-mode=1;sprop-parameter-sets=profile-level-id=42e01f",
    "packetization-mode=1;profile-level-id=42e01",
    "packetization-mode=1;profile-level-id=42e01f0",
    "packetization-mode=1;profile-level-id=42e0zz",
    "packetization-mode=1;profile-level-id=42001f",
    "packetization-mode=1;profile-level-id=4d001f",
    "packetization-mode=1;profile-level-id=640c1f",
  ])
  func `H.264 in other profiles and modes is rejected`(parameters: String) throws {
    let codecs = try Self.codecs(h264: parameters)
    #expect(!codecs[0].isTaken)
  }

  @Test(arguments: ["apt=102", "rtx-time=3000;apt=102", "RTX-Time=3000; APT=102 "])
  func `a retransmission codec is recognized whatever the position of its apt parameter`(
    parameters: String
  )
    throws
  {
    let codecs = try Self.codecs(rtx: parameters)
    #expect(codecs[1].repeatedType == 102)
    #expect(codecs[1].isTaken)
  }

  @Test(arguments: ["", "rtx-time=3000", "x-apt=102", "apt=", "apt=102x", "apt=+102", "apt=300"])
  func `a retransmission of an unknown payload type is rejected`(parameters: String) throws {
    let codecs = try Self.codecs(rtx: parameters)
    #expect(codecs[1].repeatedType == nil)
    #expect(!codecs[1].isTaken)
  }

  @Test(
    arguments: [
      (nil, true), ("profile-id=0", true), ("x-google-start-bitrate=1000; Profile-Id=0", true),
      ("profile-id=1", false), ("profile-id=2", false), ("profile-id=00", false),
    ] as [(String?, Bool)])
  func `VP9 is accepted in profile 0 only`(parameters: String?, isTaken: Bool) throws {
    let lines =
      [
        "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
        "m=video 9 UDP/TLS/RTP/SAVPF 98 99", "c=IN IP4 0.0.0.0", "a=mid:0",
        "a=rtpmap:98 VP9/90000", "a=rtpmap:99 rtx/90000", "a=fmtp:99 apt=98",
      ] + (parameters.map { ["a=fmtp:98 \($0)"] } ?? [])
    let offer = try SDPOffer(lines.joined(separator: "\r\n") + "\r\n")
    #expect(NegotiatedCodec.all(of: offer.sections[0]).map(\.isTaken) == [isTaken, isTaken])
  }

  @Test(
    arguments: [
      (nil, true), ("profile=0", true), ("level-idx=5; Profile=0;tier=0", true),
      ("profile=1", false), ("profile=2", false), ("level-idx=5;profile=", false),
    ] as [(String?, Bool)])
  func `AV1 is accepted in the main profile only`(parameters: String?, isTaken: Bool) throws {
    let lines =
      [
        "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
        "m=video 9 UDP/TLS/RTP/SAVPF 45 46", "c=IN IP4 0.0.0.0", "a=mid:0",
        "a=rtpmap:45 AV1/90000", "a=rtpmap:46 rtx/90000", "a=fmtp:46 apt=45",
      ] + (parameters.map { ["a=fmtp:45 \($0)"] } ?? [])
    let offer = try SDPOffer(lines.joined(separator: "\r\n") + "\r\n")
    #expect(NegotiatedCodec.all(of: offer.sections[0]).map(\.isTaken) == [isTaken, isTaken])
  }

  /// Returns the codecs of an offer that contains H.264 and retransmissions of H.264.
  private static func codecs(
    h264: String = "packetization-mode=1;profile-level-id=42e01f", rtx: String = "apt=102"
  ) throws -> [NegotiatedCodec] {
    let lines = [
      "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
      "m=video 9 UDP/TLS/RTP/SAVPF 102 103", "c=IN IP4 0.0.0.0", "a=mid:0",
      "a=rtpmap:102 H264/90000", "a=fmtp:102 \(h264)", "a=rtpmap:103 rtx/90000",
      "a=fmtp:103 \(rtx)",
    ]
    let offer = try SDPOffer(lines.joined(separator: "\r\n") + "\r\n")
    return NegotiatedCodec.all(of: offer.sections[0])
  }
}
