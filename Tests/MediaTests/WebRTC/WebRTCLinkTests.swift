import MeetingModel
import RTP
import SRTP
import TestSupport
import Testing
import WebRTC

@testable import Media

/// A browser at the other end of a link, without ICE and DTLS.
private struct BrowserEnd: ~Copyable {
  static let (voice, level): (UInt32, UInt8) = (0xCAFE_0001, 1)

  var sender: SRTPSender
  var receiver: SRTPReceiver

  init(_ keys: SRTPKeys) {
    sender = SRTPSender(keys.client)
    receiver = SRTPReceiver(keys.server)
  }

  static let offer = """
    v=0\r
    o=- 1 2 IN IP4 127.0.0.1\r
    s=-\r
    t=0 0\r
    a=group:BUNDLE 0\r
    m=audio 9 UDP/TLS/RTP/SAVPF 109\r
    c=IN IP4 0.0.0.0\r
    a=ice-ufrag:F7gI\r
    a=ice-pwd:x9cml/YzichV2+XlhiMu8g1W\r
    a=fingerprint:sha-256 \(Array(repeating: "4A", count: 32).joined(separator: ":"))\r
    a=setup:actpass\r
    a=mid:0\r
    a=sendrecv\r
    a=rtcp-mux\r
    a=extmap:5 urn:ietf:params:rtp-hdrext:ssrc-audio-level\r
    a=rtpmap:109 opus/48000/2\r
    a=ssrc:\(voice) cname:someone\r

    """

  /// Protects a packet of the browser: sound or RTCP.
  mutating func protect(_ packet: [UInt8]) throws -> [UInt8] {
    var room = packet + [UInt8](repeating: 0, count: 64)
    let isRTCP = RTPPacket.isRTCP(packet.span)
    var elements = room.mutableSpan
    var bytes = elements.mutableBytes
    let result =
      isRTCP
      ? sender.protectRTCP(&bytes, count: packet.count)
      : sender.protectRTP(&bytes, count: packet.count)
    return Array(room.prefix(try result.get()))
  }

  mutating func open(_ datagram: [UInt8]) throws -> [UInt8] {
    var room = datagram
    let isRTCP = RTPPacket.isRTCP(datagram.span)
    var elements = room.mutableSpan
    var bytes = elements.mutableBytes
    let result =
      isRTCP
      ? receiver.openRTCP(&bytes, count: datagram.count)
      : receiver.openRTP(&bytes, count: datagram.count)
    return Array(room.prefix(try result.get()))
  }
}

@Suite("A browser's link")
struct WebRTCLinkTests {
  private final class Line {
    var datagrams: [[UInt8]] = []
  }

  private static func keys() throws -> SRTPKeys {
    let profile = ProtectionProfile.aeadAES128GCM
    var material = (0..<profile.exportedLength).map { UInt8(truncatingIfNeeded: $0 * 7) }
    return try #require(SRTPKeys(profile: profile, wiping: &material))
  }

  private static func link(
    over line: Line, offer: String = BrowserEnd.offer
  ) throws -> WebRTCLink {
    let keys = try keys()
    let media = try NegotiatedMedia(answering: SDPOffer(offer))
    let link = WebRTCLink((keys.server, keys.client), media) { datagram in
      line.datagrams.append(datagram.indices.map { datagram[$0] })
    }
    return try #require(link)
  }

  private static func packet(
    _ number: UInt16, ssrc: UInt32, type: UInt8 = 109
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: type, sequence: SequenceNumber(number), timestamp: 960 * UInt32(number),
      ssrc: ssrc, isMarked: false
    ).begin(in: &bytes)
    return bytes + [0xF8, 0xFF, 0xFE]
  }

  /// Returns the packet that the link reads from a datagram; `nil` if the link accepts no packet.
  private static func taken(_ datagram: [UInt8], by link: WebRTCLink) -> [UInt8]? {
    var room = datagram
    var span = room.mutableSpan
    let count = link.open(&span, count: datagram.count)
    return count.map { Array(room.prefix($0)) }
  }

  private static func session() throws -> MediaServerSession {
    let meeting = try SimulatedMeeting(
      of: 1, talkers: 0, cameras: 0, over: Impairment(seed: 1), seed: 1
    ) { _ in .carillon }
    return meeting.sessions[0]
  }

  @Test("a link has the payload types and extension numbers of the offer")
  func takesNumbers() throws {
    let numbers = try Self.link(over: Line()).numbers
    #expect(numbers == LinkRTPParameters(opus: 109, vp8: nil, h264: nil, audioLevel: 5))
  }

  @Test("an open link passes on audio with the session's SSRC")
  func opensSound() throws {
    let (link, session) = (try Self.link(over: Line()), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    link.open(for: session)
    let sent = Self.packet(1, ssrc: BrowserEnd.voice)
    let taken = Self.taken(try browser.protect(sent), by: link)
    #expect(taken == Self.packet(1, ssrc: session.sendSSRC))
  }

  @Test("a link refuses repeated, forged and early packets")
  func refuses() throws {
    let (link, session) = (try Self.link(over: Line()), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    let datagram = try browser.protect(Self.packet(1, ssrc: BrowserEnd.voice))
    #expect(Self.taken(datagram, by: link) == nil)
    link.open(for: session)
    var forged = datagram
    forged[14] ^= 1
    #expect(Self.taken(forged, by: link) == nil)
    #expect(Self.taken(datagram, by: link) != nil)
    #expect(Self.taken(datagram, by: link) == nil)
    for count in 0..<datagram.count {
      #expect(Self.taken(Array(datagram.prefix(count)), by: link) == nil)
    }
  }

  @Test("a link does not change the SSRC of packets of another source")
  func leavesOthers() throws {
    let (link, session) = (try Self.link(over: Line()), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    link.open(for: session)
    let other = Self.packet(1, ssrc: 77, type: 96)
    #expect(Self.taken(try browser.protect(other), by: link) == other)
  }

  @Test("a link replaces the browser's SSRC in reports of both directions")
  func renamesReports() throws {
    let line = Line()
    let (link, session) = (try Self.link(over: line), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    link.open(for: session)
    func report(_ ssrc: UInt32) -> [UInt8] {
      var writer = RTCPWriter()
      writer.addReceiverReport(sender: 5, reports: [ReportBlock(ssrc: ssrc)].span)
      return writer.bytes
    }
    link.send(report(session.sendSSRC).span)
    #expect(try browser.open(line.datagrams[0]) == report(BrowserEnd.voice))
    let taken = Self.taken(try browser.protect(report(BrowserEnd.voice)), by: link)
    #expect(taken == report(session.sendSSRC))
  }

  @Test("a link sends nothing before its session opens the link or after the session ends")
  func sendsWhenOpen() throws {
    let line = Line()
    let (link, session) = (try Self.link(over: line), try Self.session())
    link.send(Self.packet(1, ssrc: 9).span)
    link.open(for: session)
    link.send(Self.packet(2, ssrc: 9).span)
    link.close()
    link.send(Self.packet(3, ssrc: 9).span)
    #expect(line.datagrams.count == 1)
  }

  // MARK: Transport-wide numbers

  private static let numberID: UInt8 = 3

  /// An offer of sound without video. The packets of sound have transport-wide numbers.
  private static let numbered =
    BrowserEnd.offer + "a=rtcp-fb:109 transport-cc\r\n"
    + "a=extmap:\(numberID) \(HeaderExtension.transportWideNumber)\r\n"

  /// Adds a video section to an offer. Browsers without transport-cc for video use REMB.
  private static func addingVideo(to offer: String, feedback: String) -> String {
    offer.replacing("BUNDLE 0", with: "BUNDLE 0 1")
      + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:1\r\na=recvonly\r\na=rtpmap:96 VP8/90000\r\n"
      + "a=rtcp-fb:96 \(feedback)\r\n"
      + "a=extmap:\(numberID) \(HeaderExtension.transportWideNumber)\r\n"
  }

  private static func parsed(_ bytes: [UInt8]) -> RTPPacket? { RTPPacket(bytes.span) }

  /// Returns the transport-wide number of a packet; `nil` if the packet has no number.
  private static func number(of bytes: [UInt8]) throws -> [UInt8]? {
    let packet = try #require(parsed(bytes))
    return packet.headerExtension(numberID, in: bytes.span).map { Array(bytes[$0]) }
  }

  @Test("a link numbers the packets of the mix if the browser acknowledges sound")
  func numbersSound() throws {
    let line = Line()
    let (link, session) = (try Self.link(over: line, offer: Self.numbered), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    link.open(for: session)
    #expect(link.acknowledgement == .transportFeedback)
    let numbers = try #require(link.transportNumbers)
    let mix = session.streams.receiveSSRC
    for number in UInt16(1)...3 {
      link.send(Self.packet(number, ssrc: mix).span)
      #expect(numbers.last == SequenceNumber(number - 1))
      let sent = try browser.open(line.datagrams[line.datagrams.count - 1])
      #expect(try Self.number(of: sent) == [0, UInt8(number - 1)])
      // Apart from the header extension, the browser receives an unchanged packet of the mix.
      let packet = try #require(Self.parsed(sent))
      #expect(packet.payloadType == 109 && packet.sequence == SequenceNumber(number))
      #expect(packet.ssrc == mix && packet.timestamp == 960 * UInt32(number))
      #expect(Array(sent[packet.payload]) == [0xF8, 0xFF, 0xFE])
    }
    var writer = RTCPWriter()
    writer.addReceiverReport(sender: 5, reports: [ReportBlock(ssrc: mix)].span)
    link.send(writer.bytes.span)
    #expect(numbers.last == nil)
  }

  @Test(
    "a link does not number the mix if the offer lacks transport-cc for sound or for its video",
    arguments: [
      (BrowserEnd.offer, false), (addingVideo(to: BrowserEnd.offer, feedback: "goog-remb"), false),
      (addingVideo(to: BrowserEnd.offer, feedback: "transport-cc"), true),
      (addingVideo(to: numbered, feedback: "goog-remb"), true),
    ])
  func leavesSoundWithoutNumbers(offer: String, isAcknowledged: Bool) throws {
    let line = Line()
    let (link, session) = (try Self.link(over: line, offer: offer), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    link.open(for: session)
    let packet = Self.packet(1, ssrc: session.streams.receiveSSRC)
    link.send(packet.span)
    #expect(try browser.open(line.datagrams[0]) == packet)
    #expect((link.acknowledgement != nil) == isAcknowledged)
    #expect(link.transportNumbers?.last == nil)
  }

  @Test(
    "a link acknowledges ten packets of sound together if both sides accept transport-cc for sound",
    arguments: [
      (numbered, true), (addingVideo(to: numbered, feedback: "goog-remb"), true),
      (addingVideo(to: BrowserEnd.offer, feedback: "transport-cc"), false),
      (BrowserEnd.offer, false),
    ])
  func acknowledgesSound(offer: String, isAgreed: Bool) throws {
    let (link, session) = (try Self.link(over: Line(), offer: offer), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    link.open(for: session)
    var writer = RTCPWriter()
    for number in UInt16(0)..<10 {
      #expect(!link.takeFeedback(within: 1_200, into: &writer))
      var packet: [UInt8] = []
      OutgoingRTPHeader(
        payloadType: 109, sequence: SequenceNumber(number), timestamp: 960 * UInt32(number),
        ssrc: BrowserEnd.voice
      ).begin(in: &packet) {
        OutgoingRTPHeader.appendExtension(Self.numberID, [0, UInt8(number)].span, to: &$0)
      }
      #expect(Self.taken(try browser.protect(packet + [0xF8, 0xFF, 0xFE]), by: link) != nil)
    }
    #expect(link.takeFeedback(within: 1_200, into: &writer) == isAgreed)
    guard isAgreed else { return }
    var reader = RTCPReader()
    guard case .transportFeedback(let feedback)? = reader.next(in: writer.bytes.span) else {
      Issue.record("There is no feedback.")
      return
    }
    #expect(feedback.first == SequenceNumber(0) && feedback.count == 10)
    writer.clear()
    #expect(!link.takeFeedback(within: 1_200, into: &writer))
  }

  // MARK: Sound that is requested again

  private static func nack(_ numbers: [UInt16], of ssrc: UInt32) -> [UInt8] {
    var writer = RTCPWriter()
    let missing = numbers.map { SequenceNumber($0) }
    writer.addNack(sender: 5, media: ssrc, missing: missing.span)
    return writer.bytes
  }

  @Test("a link with agreed repetition repeats packets of the mix unchanged, at most twice")
  func repeatsSound() throws {
    let line = Line()
    let offer = BrowserEnd.offer + "a=rtcp-fb:109 nack\r\n"
    let (link, session) = (try Self.link(over: line, offer: offer), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    link.open(for: session)
    let mix = session.streams.receiveSSRC
    for number in UInt16(1)...40 { link.send(Self.packet(number, ssrc: mix).span) }
    let sent = line.datagrams
    #expect(link.repeatsSound && sent.count == 40)
    // Packet 40 has replaced packet 8 in the link's memory. The link never sent packet 50.
    let asked = Self.nack([8, 9, 40, 50], of: mix)
    _ = Self.taken(try browser.protect(asked), by: link)
    _ = Self.taken(try browser.protect(asked), by: link)
    _ = Self.taken(try browser.protect(asked), by: link)
    #expect(Array(line.datagrams.dropFirst(40)) == [sent[8], sent[39], sent[8], sent[39]])
    #expect(try browser.open(sent[8]) == Self.packet(9, ssrc: mix))
  }

  @Test("a link repeats audio only with agreed repetition, and never audio of another source")
  func repeatsNothingElse() throws {
    let agreed = BrowserEnd.offer + "a=rtcp-fb:109 nack\r\n"
    #expect(try Self.datagrams(afterAsking: 0, BrowserEnd.offer) == 1)
    #expect(try Self.datagrams(afterAsking: 1, agreed) == 1)
    #expect(try Self.datagrams(afterAsking: 0, agreed) == 2)
  }

  /// Returns how many datagrams `media` sends when the browser requests one packet of the mix
  /// again.
  ///
  /// - Parameter distance: The difference between the SSRC in the request and the SSRC of the mix.
  private static func datagrams(afterAsking distance: UInt32, _ offer: String) throws -> Int {
    let line = Line()
    let (link, session) = (try Self.link(over: line, offer: offer), try Self.session())
    var browser = BrowserEnd(try Self.keys())
    link.open(for: session)
    let mix = session.streams.receiveSSRC
    link.send(Self.packet(1, ssrc: mix).span)
    _ = Self.taken(try browser.protect(Self.nack([1], of: mix &+ distance)), by: link)
    return line.datagrams.count
  }
}
