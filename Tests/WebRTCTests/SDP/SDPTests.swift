import Testing

@testable import WebRTC

@Suite struct SDPTests {
  private static let lines = [
    "v=0", "o=mozilla-chrome 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0 1",
    "a=extmap-allow-mixed", "a=msid-semantic: WMS",
    "m=audio 9 UDP/TLS/RTP/SAVPF 63 111 126", "c=IN IP4 0.0.0.0", "a=rtcp:9 IN IP4 0.0.0.0",
    "a=ice-ufrag:abcd", "a=ice-pwd:0123456789012345678901", "a=ice-options:trickle",
    "a=fingerprint:sha-256 00:11", "a=setup:actpass", "a=mid:0",
    "a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level",
    "a=extmap:4/sendonly urn:ietf:params:rtp-hdrext:sdes:mid", "a=sendrecv", "a=rtcp-mux",
    "a=rtcp-rsize", "a=rtpmap:63 red/48000/2", "a=fmtp:63 111/111", "a=rtpmap:111 opus/48000/2",
    "a=rtcp-fb:111 transport-cc", "a=fmtp:111 minptime=10;useinbandfec=1",
    "a=rtpmap:126 telephone-event/8000",
    "m=video 9 UDP/TLS/RTP/SAVPF 96 97 102 98", "c=IN IP4 0.0.0.0", "a=ice-ufrag:abcd",
    "a=ice-pwd:0123456789012345678901", "a=fingerprint:sha-256 00:11", "a=setup:actpass", "a=mid:1",
    "a=extmap:14 urn:ietf:params:rtp-hdrext:toffset", "a=inactive", "a=rtcp-mux",
    "a=rtpmap:96 VP8/90000", "a=rtcp-fb:96 goog-remb", "a=rtcp-fb:96 transport-cc",
    "a=rtcp-fb:96 nack pli", "a=rtpmap:97 rtx/90000", "a=fmtp:97 apt=96", "a=rtpmap:98 rtx/90000",
    "a=fmtp:98 apt=99", "a=rtpmap:102 H264/90000",
    "a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f",
    "m=video 0 UDP/TLS/RTP/SAVPF 96", "c=IN IP4 0.0.0.0", "a=mid:2", "a=inactive",
  ]

  private static let offer = lines.joined(separator: "\r\n") + "\r\n"

  private let answer = SDPAnswer(
    addresses: [UDPAddress(host: [192, 0, 2, 9], port: 7_401)],
    credentials: ICECredentials(fragment: "here", password: "secret"),
    fingerprint: "sha-256 AA:BB", origin: (7, 1))

  private func answered(_ offer: String = offer) throws -> SDPOffer {
    let text = try answer.text(of: answer.negotiate(SDPOffer(offer)))
    #expect(text.hasSuffix("\r\n"))
    return try SDPOffer(text)
  }

  @Test func `the answer mirrors every section and does not bundle sections without a port`() throws
  {
    let answer = try answered()
    #expect(answer.sections.map(\.kind) == ["audio", "video", "video"])
    #expect(answer.sections.map { $0["mid"] } == ["0", "1", "2"])
    #expect(answer.sections.map(\.port) == [7_401, 7_401, 0])
    #expect(answer.bundle == ["0", "1"])
    #expect(answer.attributes.contains("ice-lite"))
    let negotiated = try self.answer.negotiate(SDPOffer(Self.offer))
    #expect(negotiated.transport.credentials.fragment == "abcd")
  }

  @Test func `the answer accepts all header extensions and reverses their directions`() throws {
    let answer = try answered()
    #expect(
      answer.sections[0].values("extmap") == [
        "1 urn:ietf:params:rtp-hdrext:ssrc-audio-level",
        "4/recvonly urn:ietf:params:rtp-hdrext:sdes:mid",
      ])
    #expect(answer.sections[1].values("extmap") == ["14 urn:ietf:params:rtp-hdrext:toffset"])
  }

  @Test func `the answer accepts only codecs and feedback that media can forward`() throws {
    let answer = try answered()
    #expect(answer.sections[0].formats == ["63", "111"])
    #expect(
      answer.sections[0].values("fmtp") == ["63 111/111", "111 minptime=10;useinbandfec=1"])
    #expect(answer.sections[1].formats == ["96", "97", "102"])
    #expect(answer.sections[1].values("rtcp-fb") == ["96 goog-remb", "96 nack pli"])
  }

  @Test(arguments: ["", "111", "111/126", "111/x", "96/96"])
  func `the answer accepts redundant audio only for Opus`(parameters: String) throws {
    let answer = try answered(Self.offer.replacing("63 111/111", with: "63 \(parameters)"))
    #expect(answer.sections[0].formats == ["111"])
  }

  @Test(arguments: [("actpass", "passive"), ("active", "passive"), ("passive", "active")])
  func `the answer has the opposite DTLS role`(offered: String, answered part: String) throws {
    let answer = try answered(Self.offer.replacing("setup:actpass", with: "setup:\(offered)"))
    #expect(answer.sections.prefix(2).allSatisfy { $0["setup"] == part })
  }

  @Test func `each section contains the address and credentials of media`() throws {
    for section in try answered().sections.prefix(2) {
      #expect(section["ice-ufrag"] == "here" && section["ice-pwd"] == "secret")
      #expect(section["fingerprint"] == "sha-256 AA:BB" && section["setup"] == "passive")
      #expect(section["candidate"] == "1 1 udp 2130706431 192.0.2.9 7401 typ host")
      #expect(section["rtcp-mux"] == "")
    }
    let audio = try answered().sections[0]
    #expect(audio["sendrecv"] != nil && audio["msid"] == "carillon mix")
    // Clients that read line by line must know the section's mid before its direction.
    let (mid, direction) = (
      audio.attributes.firstIndex(of: "mid:0"), audio.attributes.firstIndex(of: "sendrecv")
    )
    #expect(try #require(mid) < #require(direction))
  }

  @Test(
    arguments: [
      ("", "begin"), ("v=1\r\n", "begin"), ("v=0\r\n", "no section"),
      ("v=0\r\nm=audio\r\n", "m= line"), ("v=0\r\nm=audio 99999 X 1\r\n", "m= line"),
      ("v=0\r\nnonsense\r\n", "TYPE=VALUE"),
      (lines.filter { !$0.hasPrefix("a=ice-pwd") }.joined(separator: "\n"), "credentials"),
      (lines.filter { !$0.hasPrefix("a=fingerprint") }.joined(separator: "\n"), "fingerprint"),
      (lines.filter { !$0.hasPrefix("a=group") }.joined(separator: "\n"), "that media supports"),
      (offer.replacing("a=mid:2", with: "a=mid:0"), "same mid"),
      (offer.replacing("setup:actpass", with: "setup:holdconn"), "a=setup"),
      (String(repeating: "v=0\r\n", count: 60_000), "too long"),
    ])
  func `an invalid offer is refused with a reason`(text: String, word: String) {
    do {
      _ = try answer.negotiate(SDPOffer(text))
      Issue.record("It was answered.")
    } catch {
      #expect(error.text.contains(word), "\(error.text)")
    }
  }
}
