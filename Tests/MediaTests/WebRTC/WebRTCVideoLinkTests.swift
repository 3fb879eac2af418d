import MeetingModel
import RTP
import SRTP
import TestSupport
import Testing
import WebRTC

@testable import Media

/// A browser that sends and receives video at the other end of a link, without ICE and DTLS.
private final class PictureBrowser {
  static let (camera, repair): (UInt32, UInt32) = (0xCAFE_0002, 0xCAFE_0003)
  static let (mid, rid, repairedRID): (UInt8, UInt8, UInt8) = (4, 10, 11)

  private var sender: SRTPSender
  private var receiver: SRTPReceiver
  private(set) var link: WebRTCLink!
  private(set) var heard: [[UInt8]] = []
  let session: MediaServerSession

  /// - Parameters:
  ///   - rids: The camera's layers. If this list is empty, the offer names the sources.
  ///   - tracks: The tracks that the browser receives.
  ///   - layers: Media's sources for the browser's video.
  ///   - isNumbered: Whether the browser offers transport-wide numbers.
  ///   - describing: `nil` if the browser offers VP8. Otherwise, the browser offers AV1, and this
  ///     value states whether the browser offers the form of header extensions that dependency
  ///     descriptors need.
  init(
    rids: [String] = [], tracks: [UInt32] = [], layers: [UInt32] = [], isNumbered: Bool = false,
    describing: Bool? = nil
  ) throws {
    let profile = ProtectionProfile.aeadAES128GCM
    var material = (0..<profile.exportedLength).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let keys = try #require(SRTPKeys(profile: profile, wiping: &material))
    sender = SRTPSender(keys.client)
    receiver = SRTPReceiver(keys.server)
    let meeting = try SimulatedMeeting(
      of: 1, talkers: 0, cameras: 0, over: Impairment(seed: 1), seed: 1
    ) { _ in .carillon }
    session = meeting.sessions[0]
    let media = try Self.media(rids, tracks, isNumbered: isNumbered, describing: describing)
    link = WebRTCLink((keys.server, keys.client), media, layers: layers) { [unowned self] in
      take($0)
    }
    link.open(for: session)
  }

  /// Returns the negotiated media for a browser with these layers.
  static func media(
    _ rids: [String], _ tracks: [UInt32], isNumbered: Bool = false, isSending: Bool = true,
    repair: UInt32 = repair, describing: Bool? = nil
  ) throws -> NegotiatedMedia {
    var offer = offer(isSending ? rids : [], tracks.count)
      .replacing("FID \(camera) \(Self.repair)", with: "FID \(camera) \(repair)")
    if !isSending {
      offer = offer.replacing("a=mid:1\r\n", with: "a=mid:1\r\na=inactive\r\n")
        .replacing("a=sendrecv\r\na=ssrc-group", with: "a=ssrc-group")
    }
    if isNumbered {
      let feedback = "a=rtcp-fb:100 nack\r\n"
      offer = offer.replacing(
        feedback,
        with: feedback + "a=rtcp-fb:100 goog-remb\r\na=rtcp-fb:100 transport-cc\r\n"
          + "a=extmap:\(number) \(HeaderExtension.transportWideNumber)\r\n")
    }
    if let describing {
      offer = offer.replacing("VP8/90000", with: "AV1/90000")
        .replacing(
          "a=rtpmap:101",
          with: "a=extmap:\(descriptor) \(DependencyDescriptor.uri)\r\na=rtpmap:101")
      if describing {
        offer = offer.replacing("t=0 0\r\n", with: "t=0 0\r\na=extmap-allow-mixed\r\n")
      }
    }
    return try NegotiatedMedia(
      answering: SDPOffer(offer), sending: tracks.map { VideoTrack(ssrc: $0) })
  }

  /// The extension id of the dependency descriptor.
  static let descriptor: UInt8 = 8

  /// The extension id of the transport-wide number.
  static let number: UInt8 = 3

  private static func offer(_ rids: [String], _ receiving: Int) -> String {
    let mids = (0..<receiving + 2).map { "\($0)" }.joined(separator: " ")
    let layers =
      rids.map { "a=rid:\($0) send" }
      + (rids.isEmpty ? [] : ["a=simulcast:send \(rids.joined(separator: ";"))"])
    let sources = ["a=ssrc-group:FID \(camera) \(repair)", "a=ssrc:\(camera) cname:c"]
    let lines =
      [
        "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE \(mids)",
        "m=audio 9 UDP/TLS/RTP/SAVPF 109", "a=ice-ufrag:F7gI", "a=ice-pwd:x9cml/YzichV2+XlhiMu8g1W",
        "a=fingerprint:sha-256 \(Array(repeating: "4A", count: 32).joined(separator: ":"))",
        "a=setup:actpass", "a=mid:0", "a=sendrecv", "a=rtpmap:109 opus/48000/2",
      ] + video(mid: 1) + ["a=sendrecv"] + (rids.isEmpty ? sources : layers)
      + (0..<receiving).flatMap { video(mid: $0 + 2) + ["a=recvonly"] }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private static func video(mid: Int) -> [String] {
    let names = [
      ("mid", self.mid), ("rtp-stream-id", rid), ("repaired-rtp-stream-id", repairedRID),
    ]
    let turned = "a=extmap:\(orientation) \(VideoOrientation.uri)"
    return [
      "m=video 9 UDP/TLS/RTP/SAVPF 100 101", "a=ice-ufrag:F7gI",
      "a=ice-pwd:x9cml/YzichV2+XlhiMu8g1W", "a=mid:\(mid)", "a=rtpmap:100 VP8/90000",
      "a=rtcp-fb:100 nack", "a=rtpmap:101 rtx/90000", "a=fmtp:101 apt=100",
    ] + names.map { "a=extmap:\($0.1) urn:ietf:params:rtp-hdrext:sdes:\($0.0)" } + [turned]
  }

  /// The extension id of the picture's orientation.
  static let orientation: UInt8 = 9

  // MARK: Packets

  /// Returns the packet that the link reads from a packet of the browser; `nil` if the link accepts
  /// no packet.
  func send(_ packet: [UInt8]) throws -> [UInt8]? {
    var room = packet + [UInt8](repeating: 0, count: 64)
    let isRTCP = RTPPacket.isRTCP(packet.span)
    var elements = room.mutableSpan
    var bytes = elements.mutableBytes
    let result =
      isRTCP
      ? sender.protectRTCP(&bytes, count: packet.count)
      : sender.protectRTP(&bytes, count: packet.count)
    let count = link.open(&elements, count: try result.get())
    return count.map { Array(room.prefix($0)) }
  }

  private func take(_ datagram: Span<UInt8>) {
    var room = datagram.indices.map { datagram[$0] }
    let isRTCP = RTPPacket.isRTCP(datagram)
    var elements = room.mutableSpan
    var bytes = elements.mutableBytes
    let result =
      isRTCP
      ? receiver.openRTCP(&bytes, count: datagram.count)
      : receiver.openRTP(&bytes, count: datagram.count)
    if let count = try? result.get() { heard.append(Array(room.prefix(count))) }
  }

  static func parsed(_ packet: [UInt8]) -> RTPPacket? { RTPPacket(packet.span) }

  /// Returns a video packet. `ids` are header extensions.
  static func packet(
    _ number: UInt16, _ ssrc: UInt32, type: UInt8 = 100, ids: [(UInt8, String)] = [],
    payload: [UInt8] = [0x10, 1, 2]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    let header = OutgoingRTPHeader(
      payloadType: type, sequence: SequenceNumber(number), timestamp: 3_000 * UInt32(number),
      ssrc: ssrc)
    if ids.isEmpty {
      header.begin(in: &bytes)
    } else {
      header.begin(in: &bytes) { buffer in
        for (id, value) in ids {
          OutgoingRTPHeader.appendExtension(id, Array(value.utf8).span, to: &buffer)
        }
      }
    }
    return bytes + payload
  }
}

@Suite struct WebRTCVideoLinkTests {
  private typealias Browser = PictureBrowser

  @Test func `a link has the payload types of the offer`() throws {
    let numbers = try Browser().link.numbers
    #expect(numbers == LinkRTPParameters(opus: 109, vp8: 100, h264: nil, audioLevel: nil))
  }

  @Test func `a link recognizes a camera and its retransmissions by the sources in the offer`()
    throws
  {
    let browser = try Browser(layers: [71])
    let sent = Browser.packet(1, Browser.camera, ids: [(Browser.mid, "1")])
    #expect(try browser.send(sent) == Browser.packet(1, 71))
    let repeated = Browser.packet(9, Browser.repair, type: 101, payload: [0, 5, 0x10, 3])
    let original = try #require(try browser.send(repeated))
    let parts = try #require(Browser.parsed(original))
    #expect(parts.sequence == SequenceNumber(5) && parts.ssrc == 71 && parts.payloadType == 100)
    #expect(Array(original.suffix(2)) == [0x10, 3] && original.count == 14)
    let probe = Browser.packet(10, Browser.repair, type: 101, payload: [])
    #expect(try browser.send(probe) == [])
  }

  @Test func `a link identifies layers by the ids in their first packets`() throws {
    let browser = try Browser(rids: ["low", "hi"], layers: [71, 72])
    for (ssrc, rid, layer) in [(31, "low", 71), (32, "hi", 72)] as [(UInt32, String, UInt32)] {
      let ids = [(Browser.mid, "1"), (Browser.rid, rid)]
      #expect(try browser.send(Browser.packet(1, ssrc, ids: ids)) == Browser.packet(1, layer))
      #expect(try browser.send(Browser.packet(2, ssrc)) == Browser.packet(2, layer))
    }
    let ids = [(Browser.mid, "1"), (Browser.repairedRID, "hi")]
    let repeated = Browser.packet(1, 33, type: 101, ids: ids, payload: [0, 3, 0x10])
    let original = try #require(try browser.send(repeated))
    #expect(Browser.parsed(original)?.ssrc == 72)
    // Another source with the same id replaces the first source.
    _ = try browser.send(Browser.packet(1, 40, ids: [(Browser.rid, "hi")]))
    #expect(try browser.send(Browser.packet(3, 32)) == Browser.packet(3, 32))
    #expect(try browser.send(Browser.packet(2, 40)) == Browser.packet(2, 72))
  }

  @Test func `a rid that occurs twice in an offer names one layer`() throws {
    let browser = try Browser(rids: ["low", "low", "hi"], layers: [71, 72])
    for (ssrc, rid, layer) in [(31, "low", 71), (32, "hi", 72)] as [(UInt32, String, UInt32)] {
      let sent = Browser.packet(1, ssrc, ids: [(Browser.rid, rid)])
      #expect(try browser.send(sent) == Browser.packet(1, layer))
    }
  }

  @Test func `two browsers that use one SSRC have separate sources`() throws {
    for layer in [71, 81] as [UInt32] {
      let browser = try Browser(layers: [layer])
      let sent = Browser.packet(1, Browser.camera)
      #expect(try browser.send(sent) == Browser.packet(1, layer))
    }
  }

  @Test func `an SSRC that a browser uses for sound and for pictures counts as two sources`() throws
  {
    let browser = try Browser(layers: [71])
    for number in [1, 3, 5] as [UInt16] {
      let sound = Browser.packet(number, Browser.camera, type: 109)
      let named = Browser.packet(number, browser.session.sendSSRC, type: 109)
      #expect(try browser.send(sound) == named)
      let picture = Browser.packet(number + 1, Browser.camera)
      #expect(try browser.send(picture) == Browser.packet(number + 1, 71))
    }
  }

  @Test func `a retransmission SSRC that equals the camera's own SSRC is ignored`() throws {
    let browser = try Browser(layers: [71])
    browser.link.apply(try Browser.media([], [], repair: Browser.camera), layers: [71])
    #expect(try browser.send(Browser.packet(1, Browser.camera)) == Browser.packet(1, 71))
  }

  @Test func `a link does not change the SSRCs of sources that were not negotiated`() throws {
    let browser = try Browser(rids: ["low", "hi"], layers: [71])
    let foreign = Browser.packet(1, 50, ids: [(Browser.rid, "none")])
    #expect(try browser.send(foreign) == foreign)
    let unpublished = Browser.packet(1, 51, ids: [(Browser.rid, "hi")])
    #expect(try browser.send(unpublished) == unpublished)
  }

  @Test func `a link keeps its sources after an offer that does not change these sources`() throws {
    let browser = try Browser(rids: ["low", "hi"], layers: [71, 72])
    _ = try browser.send(Browser.packet(1, 31, ids: [(Browser.rid, "low")]))
    browser.link.apply(try Browser.media(["low", "hi"], [9]), layers: [71, 72])
    #expect(try browser.send(Browser.packet(2, 31)) == Browser.packet(2, 71))
    browser.link.apply(try Browser.media(["a", "b"], [9]), layers: [71, 72])
    #expect(try browser.send(Browser.packet(3, 31)) == Browser.packet(3, 31))
  }

  @Test func `a camera that is turned off and on keeps its layers, even if packets have no rids`()
    throws
  {
    let browser = try Browser(rids: ["low", "hi"], layers: [71, 72])
    _ = try browser.send(Browser.packet(1, 31, ids: [(Browser.rid, "low")]))
    for number in 1...5 as ClosedRange<UInt16> {
      for _ in 0..<2 {
        browser.link.apply(try Browser.media([], [9], isSending: false), layers: [])
      }
      let late = Browser.packet(2 * number, 31)
      #expect(try browser.send(late) == late)
      browser.link.apply(try Browser.media(["low", "hi"], [9]), layers: [81, 82])
      #expect(
        try browser.send(Browser.packet(2 * number + 1, 31))
          == Browser.packet(2 * number + 1, 81))
    }
  }

  @Test func `a camera that is turned on again with other rids loses its earlier layers`() throws {
    let browser = try Browser(rids: ["low", "hi"], layers: [71, 72])
    _ = try browser.send(Browser.packet(1, 31, ids: [(Browser.rid, "low")]))
    browser.link.apply(try Browser.media([], [9], isSending: false), layers: [])
    browser.link.apply(try Browser.media(["a", "b"], [9]), layers: [81, 82])
    #expect(try browser.send(Browser.packet(2, 31)) == Browser.packet(2, 31))
  }

  @Test func `an estimate to the browser names the browser's own source`() throws {
    let browser = try Browser(layers: [71])
    var (control, expected) = (RTCPWriter(), RTCPWriter())
    control.addEstimate(sender: 9, source: 71, bitsPerSecond: 500_000)
    browser.link.send(control.bytes.span)
    expected.addEstimate(sender: 9, source: Browser.camera, bitsPerSecond: 500_000)
    #expect(browser.heard == [expected.bytes])
  }

  @Test func `a link sends only negotiated tracks, without the publisher's extensions`() throws {
    let browser = try Browser(tracks: [7, 8])
    browser.link.send(Browser.packet(1, 7, ids: [(Browser.mid, "0")]).span)
    browser.link.send(Browser.packet(1, 9).span)
    browser.link.send(Browser.packet(1, 8).span)
    #expect(browser.heard == [Browser.packet(1, 7), Browser.packet(1, 8)])
    #expect(browser.link.droppedPackets == 0)
  }

  @Test func `a link retransmits a packet in the retransmission stream`() throws {
    let browser = try Browser(tracks: [7])
    for number in [65_535, 0, 1, 65_535, 65_535] as [UInt16] {
      browser.link.send(Browser.packet(number, 7).span)
    }
    let repeated = try browser.heard.suffix(2).map { try #require(Browser.parsed($0)) }
    #expect(browser.heard.count == 5)
    #expect(repeated.map(\.ssrc) == Array(repeating: VideoTrack.repairSSRC(of: 7), count: 2))
    #expect(repeated.map(\.payloadType) == [101, 101])
    #expect(repeated[1].sequence == repeated[0].sequence.advanced(by: 1))
    #expect(Array(browser.heard[3].dropFirst(12).prefix(2)) == [0xFF, 0xFF])
  }

  @Test func `when a track returns, the sequence numbers of its retransmissions continue`() throws {
    let browser = try Browser(tracks: [7])
    func repeated() throws -> SequenceNumber {
      for _ in 0..<2 { browser.link.send(Browser.packet(3, 7).span) }
      return try #require(browser.heard.last.flatMap { Browser.parsed($0) }).sequence
    }
    let before = try repeated()
    browser.link.apply(try Browser.media([], [8]), layers: [])
    browser.link.apply(try Browser.media([], [7]), layers: [])
    // The link sent packet 3 before, so both packets are retransmissions this time.
    #expect(try repeated() == before.advanced(by: 2))
  }

  @Test func `a link replaces the SSRCs of layers in reports of both directions`() throws {
    let browser = try Browser(layers: [71])
    func loss(of media: UInt32) -> [UInt8] {
      var writer = RTCPWriter()
      writer.addPictureLoss(sender: 5, media: media)
      return writer.bytes
    }
    browser.link.send(loss(of: 71).span)
    #expect(browser.heard == [loss(of: Browser.camera)])
    #expect(try browser.send(loss(of: Browser.camera)) == loss(of: 71))
  }

  // MARK: Orientation of pictures

  private static func lying(
    _ byte: UInt8, as id: UInt8, _ number: UInt16, _ ssrc: UInt32, type: UInt8 = 100,
    payload: [UInt8] = [0x10, 1, 2]
  ) -> [UInt8] {
    let value = String(decoding: [byte], as: UTF8.self)
    return Browser.packet(number, ssrc, type: type, ids: [(id, value)], payload: payload)
  }

  @Test func `a link passes on one extension, the orientation, under media's own id`() throws {
    let browser = try Browser(layers: [71])
    let ids = [(Browser.mid, "1"), (Browser.orientation, "\u{01}"), (Browser.rid, "low")]
    let taken = try browser.send(Browser.packet(1, Browser.camera, ids: ids))
    #expect(taken == Self.lying(1, as: VideoOrientation.id, 1, 71))
    // The upper bits of the byte have no meaning.
    let odd = try browser.send(Self.lying(0x7B, as: Browser.orientation, 2, Browser.camera))
    #expect(odd == Self.lying(0x0B, as: VideoOrientation.id, 2, 71))
    // In this offer, the id that media uses for the orientation has another meaning or no meaning.
    let foreign = Self.lying(1, as: VideoOrientation.id, 3, Browser.camera)
    #expect(try browser.send(foreign) == Browser.packet(3, 71))
  }

  @Test func `a link reads the orientation from retransmissions`() throws {
    let browser = try Browser(layers: [71])
    let repeated = Self.lying(
      3, as: Browser.orientation, 9, Browser.repair, type: 101, payload: [0, 5, 0x10, 3])
    let original = try #require(try browser.send(repeated))
    let parts = try #require(Browser.parsed(original))
    let orientation = VideoOrientation(of: parts, in: original.span)
    #expect(orientation?.degrees == 270)
    #expect(parts.sequence == SequenceNumber(5) && parts.ssrc == 71 && parts.payloadType == 100)
    #expect(Array(original[parts.payload]) == [0x10, 3])
  }

  @Test(arguments: [false, true])
  func `a link sends the orientation under the browser's id, even in retransmissions`(
    isNumbered: Bool
  ) throws {
    let browser = try Browser(tracks: [7], isNumbered: isNumbered)
    for _ in 0..<2 { browser.link.send(Self.lying(2, as: VideoOrientation.id, 1, 7).span) }
    browser.link.send(Browser.packet(2, 7).span)
    let degrees = try browser.heard.map { bytes in
      let packet = try #require(Browser.parsed(bytes))
      let number = packet.headerExtension(Browser.number, in: bytes.span)
      #expect((number != nil) == isNumbered)
      return VideoOrientation(of: packet, id: Browser.orientation, in: bytes.span)?.degrees
    }
    #expect(degrees == [180, 180, nil])
    let repetition = try #require(Browser.parsed(browser.heard[1]))
    #expect(repetition.payloadType == 101)
  }

  // MARK: Descriptions of AV1 frames

  /// Returns a packet of AV1 with a dependency descriptor and with the id of the media section that
  /// the packet belongs to.
  private static func described(
    _ value: [UInt8], as id: UInt8, _ number: UInt16, _ ssrc: UInt32, type: UInt8 = 100,
    payload: [UInt8] = [0x10, 0x30, 2]
  ) -> [UInt8] {
    var block = HeaderExtensionBlock()
    block.begin(HeaderExtensionBlock.Form(fitting: value.count))
    block.append(Browser.mid, [0x31].span)
    block.append(id, value.span)
    var bytes: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: type, sequence: SequenceNumber(number), timestamp: 3_000 * UInt32(number),
      ssrc: ssrc
    ).begin(in: &bytes, block)
    return bytes + payload
  }

  /// Returns the descriptor of a packet, and the packet's payload.
  private static func descriptor(
    of bytes: [UInt8], id: UInt8
  ) throws -> (value: [UInt8]?, payload: [UInt8]) {
    let packet = try #require(Browser.parsed(bytes))
    let range = DependencyDescriptor(of: packet, id: id, in: bytes.span)?.range
    return (range.map { Array(bytes[$0]) }, Array(bytes[packet.payload]))
  }

  @Test(arguments: [3, 16, 17, 80], [true, false])
  func `a link passes on the descriptors of AV1, even in retransmitted packets`(
    count: Int, isMixed: Bool
  ) throws {
    let value = (0..<count).map { UInt8($0) }
    let browser = try Browser(tracks: [7], layers: [71], isNumbered: true, describing: isMixed)
    #expect((browser.link.numbers.dependencyDescriptor != nil) == isMixed)
    let sent = Self.described(value, as: Browser.descriptor, 1, Browser.camera)
    let taken = try #require(try browser.send(sent))
    var seen = try Self.descriptor(of: taken, id: DependencyDescriptor.id)
    #expect(seen.value == (isMixed ? value : nil) && seen.payload == [0x10, 0x30, 2])
    #expect(Browser.parsed(taken)?.ssrc == 71)
    let repeated = Self.described(
      value, as: Browser.descriptor, 2, Browser.repair, type: 101, payload: [0, 5, 0x10, 0x30, 3])
    seen = try Self.descriptor(
      of: #require(try browser.send(repeated)), id: DependencyDescriptor.id)
    #expect(seen.value == (isMixed ? value : nil) && seen.payload == [0x10, 0x30, 3])

    for _ in 0..<2 {
      browser.link.send(Self.described(value, as: DependencyDescriptor.id, 1, 7).span)
    }
    #expect(browser.heard.count == 2)
    for (bytes, leading) in zip(browser.heard, [[], [0, 1]] as [[UInt8]]) {
      seen = try Self.descriptor(of: bytes, id: Browser.descriptor)
      #expect(seen.value == (isMixed ? value : nil) && seen.payload == leading + [0x10, 0x30, 2])
      let packet = try #require(Browser.parsed(bytes))
      let number = packet.headerExtension(Browser.number, in: bytes.span)
      #expect(number?.count == 2)
      #expect(packet.extensionProfile == (isMixed && count > 16 ? 0x1000 : 0xBEDE))
    }
  }

  // MARK: Transport-wide numbers

  @Test func `a link numbers the packets of all tracks in one sequence`() throws {
    let browser = try Browser(tracks: [7, 8], isNumbered: true)
    #expect(browser.link.acknowledgement == .transportFeedback)
    let numbers = try #require(browser.link.transportNumbers)
    browser.link.send(Browser.packet(1, 7).span)
    browser.link.send(Browser.packet(1, 9).span)
    #expect(numbers.last == nil)
    browser.link.send(Browser.packet(1, 8).span)
    browser.link.send(Browser.packet(1, 7).span)
    #expect(numbers.last == SequenceNumber(2))
    let sent = try browser.heard.map { bytes in
      let packet = try #require(Browser.parsed(bytes))
      let value = packet.headerExtension(Browser.number, in: bytes.span)
      return Array(bytes[try #require(value)])
    }
    #expect(sent == [[0, 0], [0, 1], [0, 2]])
  }

  @Test func `a link sends padding in the retransmission stream of the track that it last sent`()
    throws
  {
    let browser = try Browser(tracks: [7, 8], isNumbered: true)
    browser.link.send(Browser.packet(1, 8).span)
    try Self.expectPadding(of: 8, from: browser)
  }

  @Test func `a link can send padding before any other packet and after a track has ended`() throws
  {
    let browser = try Browser(tracks: [7], isNumbered: true)
    try Self.expectPadding(of: 7, from: browser)
    browser.link.send(Browser.packet(1, 7).span)
    browser.link.apply(try Browser.media([], [9], isNumbered: true), layers: [])
    try Self.expectPadding(of: 9, from: browser)
    browser.link.apply(try Browser.media([], [], isNumbered: true), layers: [])
    let count = browser.heard.count
    browser.link.send(Self.padding.span)
    #expect(browser.heard.count == count && browser.link.transportNumbers?.last == nil)
  }

  private static var padding: [UInt8] {
    var padding = Browser.packet(1, 999, payload: [0, 0, 3])
    padding[0] |= 0x20
    return padding
  }

  private static func expectPadding(of track: UInt32, from browser: Browser) throws {
    browser.link.send(padding.span)
    let sent = try #require(browser.heard.last)
    let packet = try #require(Browser.parsed(sent))
    #expect(packet.ssrc == VideoTrack.repairSSRC(of: track) && packet.payloadType == 101)
    #expect(packet.payload.isEmpty && packet.paddingBytes == 3)
  }

  @Test func `a link sends feedback about arrivals only after the first video packet`() throws {
    let browser = try Browser(layers: [71], isNumbered: true)
    var writer = RTCPWriter()
    #expect(!browser.link.takeFeedback(within: 1_200, into: &writer))
    for number in 4...6 as ClosedRange<UInt16> {
      let value = String(decoding: [0, UInt8(number)], as: UTF8.self)
      let packet = Browser.packet(number, Browser.camera, ids: [(Browser.number, value)])
      #expect(try browser.send(packet) == Browser.packet(number, 71))
    }
    #expect(browser.link.takeFeedback(within: 1_200, into: &writer))
    var reader = RTCPReader()
    let report = reader.next(in: writer.bytes.span)
    guard case .transportFeedback(let feedback)? = report else {
      Issue.record("There is no feedback.")
      return
    }
    #expect(feedback.first == SequenceNumber(4) && feedback.count == 3)
    writer.clear()
    #expect(!browser.link.takeFeedback(within: 1_200, into: &writer))
  }
}
