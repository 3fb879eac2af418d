import Testing
import WebRTC

@Suite struct NegotiatedMediaTests {
  private func negotiated(_ name: String) throws -> NegotiatedMedia {
    try AnswerVectors.answer.negotiate(SDPOffer(AnswerVectors.text("\(name).offer")))
  }

  @Test func `the negotiated transport contains the offerer's credentials and addresses`() throws {
    let transport = try negotiated("chromium-camera").transport
    #expect(transport.credentials.fragment == "F7gI")
    #expect(transport.credentials.password == "x9cml/YzichV2+XlhiMu8g1W")
    #expect(transport.fingerprints.count == 1)
    #expect(transport.fingerprints.first?.hasPrefix("sha-256 4A:4A:") == true)
    #expect(transport.setup == .either && transport.localRole == .server)
    #expect(transport.candidates.map(\.kind) == ["host", "srflx", "host"])
    #expect(transport.candidates.map(\.transport) == ["udp", "udp", "tcp"])
    #expect(transport.candidates.first?.host == "192.0.2.33")
    #expect(transport.candidates.first?.port == 53_001)
  }

  @Test func `attributes of the session apply to all sections`() throws {
    let media = try negotiated("firefox-listener")
    #expect(media.transport.fingerprints.first?.hasPrefix("sha-256 4A:") == true)
    #expect(media.transport.setup == .active && media.transport.localRole == .server)
    #expect(media.transport.candidates.map(\.component) == [1, 2])
    #expect(media.bundle == ["0"])
    #expect(media.sections.map(\.isTaken) == [true, false, false])
  }

  @Test func `directions are given from the answerer's point of view`() throws {
    #expect(
      try negotiated("chromium-camera").sections.map(\.direction) == [.sendReceive, .sendReceive])
    #expect(try negotiated("firefox-listener").sections[0].direction == .sendOnly)
    #expect(try negotiated("speaker-only").sections.map(\.direction) == [.receiveOnly, .inactive])
  }

  @Test func `each section has all codecs with parameters and feedback`() throws {
    let sections = try negotiated("chromium-camera").sections
    let audio = sections[0].codecs
    #expect(audio.map(\.payloadType) == [63, 111, 9, 0, 8, 13, 110, 126])
    #expect(audio.filter(\.isTaken).map(\.payloadType) == [63, 111])
    let opus = try #require(audio.first { $0.isTaken && $0.name == "opus" })
    #expect(opus.name == "opus" && opus.clockRate == 48_000 && opus.channels == 2)
    #expect(opus.parameters == "minptime=10;useinbandfec=1")
    #expect(opus.feedback == ["transport-cc"] && opus.takenFeedback == ["transport-cc"])
    #expect(audio[0].name == "red" && audio[0].copiedTypes == [111, 111])
    let repeated = sections[1].codecs.filter { $0.isTaken && $0.repeatedType != nil }
    #expect(repeated.map(\.repeatedType) == [96, 104, 108, 45, 98])
    #expect(
      sections[1].codecs.first?.takenFeedback == ["transport-cc", "ccm fir", "nack", "nack pli"])
  }

  @Test func `header extensions have the numbers of the offer`() throws {
    let extensions = try negotiated("speaker-only").sections[0].extensions
    #expect(extensions.map(\.id) == [4, 5])
    #expect(extensions.map(\.direction) == [.sendOnly, .inactive])
    #expect(extensions.map(\.parameters) == [nil, "with attributes"])
    #expect(extensions.map(\.uri).allSatisfy { $0.hasPrefix("urn:ietf:params:rtp-hdrext:") })
  }

  @Test func `sections contain their sources and source groups`() throws {
    let sections = try negotiated("chromium-camera").sections
    #expect(sections[0].sources.map(\.ssrc) == [1_001] && sections[0].msid == "stream mic")
    #expect(sections[1].sources.map(\.ssrc) == [2_001, 2_002])
    #expect(sections[1].sources.first?.cname == "Xk2")
    #expect(sections[1].sources.first?.msid == "stream camera")
    #expect(sections[1].sourceGroups.map(\.semantics) == ["FID"])
    #expect(sections[1].sourceGroups.first?.ssrcs == [2_001, 2_002])
    #expect(sections[1].rids.isEmpty && sections[1].simulcast == nil)
  }

  @Test func `a section contains its simulcast layers`() throws {
    let camera = try negotiated("chromium-simulcast").sections[1]
    #expect(camera.rids.map(\.id) == ["low", "mid", "hi"])
    #expect(camera.rids.map(\.isSent) == [true, true, true])
    let simulcast = try #require(camera.simulcast)
    #expect(simulcast.sent.map(\.ids) == [["low"], ["mid"], ["hi"]])
    #expect(simulcast.sent.map(\.isPaused) == [false, true, false])
    #expect(simulcast.received.isEmpty && camera.sources.isEmpty)
  }

  @Test func `the negotiated media keep every line of the offer`() throws {
    let text = try AnswerVectors.text("chromium-simulcast.offer")
    let media = try negotiated("chromium-simulcast")
    let offer = try SDPOffer(text)
    let kept =
      offer.lines + media.attributes.map { "a=\($0)" }
      + media.sections.flatMap { section in
        section.offered.lines + section.offered.attributes.map { "a=\($0)" }
      }
    let lines = text.split(separator: "\r\n").map { String($0) }
    #expect(kept.sorted() == lines.filter { !$0.hasPrefix("m=") && $0 != "v=0" }.sorted())
  }

  @Test(
    arguments: [
      "", " ", "x urn:a", "0 urn:a", "1", "1 ", "1/ urn:a", "1/up urn:a", "256 urn:a",
      "1 " + String(repeating: "a", count: 257),
    ])
  func `an extension without a valid number, direction or URI is refused`(value: String) {
    #expect(HeaderExtension(value) == nil)
  }

  @Test func `malformed lines are kept only as text`() throws {
    let lines = [
      "a=ssrc:x cname:a", "a=ssrc:5", "a=ssrc-group:FID x", "a=rid:low", "a=rid:low sideways",
      "a=simulcast:", "a=candidate:1 1 udp", "a=rtcp-fb:* nack", "a=extmap:1",
    ]
    let text = try AnswerVectors.text("chromium-camera.offer")
      .replacing("a=mid:0\r\n", with: lines.joined(separator: "\r\n") + "\r\na=mid:0\r\n")
    let section = try AnswerVectors.answer.negotiate(SDPOffer(text)).sections[0]
    #expect(section.sources.map(\.ssrc) == [1_001] && section.sourceGroups.isEmpty)
    #expect(section.rids.isEmpty && section.simulcast?.sent.isEmpty == true)
    #expect(section.commonFeedback == ["nack"] && section.extensions.count == 4)
    #expect(section.offered.attributes.contains("ssrc:x cname:a"))
  }

  // MARK: Later offers

  private func later(_ changes: (String, String)...) throws -> NegotiatedMedia {
    var text = try AnswerVectors.text("chromium-camera.offer")
    for (former, new) in changes { text = text.replacing(former, with: new) }
    return try AnswerVectors.answer.negotiate(SDPOffer(text), after: negotiated("chromium-camera"))
  }

  private let level = "a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level"

  @Test
  func `a later offer can add and remove extensions, and media remembers the removed ids`()
    throws
  {
    let media = try later((level, "a=extmap:9 urn:ietf:params:rtp-hdrext:csrc-audio-level"))
    let extensions = media.extensions
    #expect(extensions.uri(of: 1, in: "audio")?.hasSuffix("ssrc-audio-level") == true)
    #expect(extensions.uri(of: 9, in: "audio")?.hasSuffix("csrc-audio-level") == true)
    #expect(extensions.uri(of: 14, in: "video")?.hasSuffix("toffset") == true)
    #expect(extensions.uri(of: 14, in: "audio") == nil)
  }

  @Test func `a later offer that changes the meaning of an extension number is refused`() throws {
    let problem = #expect(throws: SDPOffer.Problem.self) {
      try later((level, "a=extmap:1 urn:ietf:params:rtp-hdrext:csrc-audio-level"))
    }
    #expect(problem?.text.contains("header extension 1 for") == true)
  }

  @Test func `an offer that gives an extension number two meanings is refused`() throws {
    let text = try AnswerVectors.text("chromium-camera.offer").replacing(
      "a=extmap:2 ", with: "a=extmap:1 ")
    #expect(throws: SDPOffer.Problem.self) { try AnswerVectors.answer.negotiate(SDPOffer(text)) }
  }

  @Test func `a client that reconnects can number its extensions differently`() throws {
    let media = try later(
      (level, "a=extmap:1 urn:ietf:params:rtp-hdrext:csrc-audio-level"),
      ("a=ice-ufrag:F7gI", "a=ice-ufrag:anew"))
    #expect(media.extensions.uri(of: 1, in: "audio")?.hasSuffix("csrc-audio-level") == true)
  }
}
