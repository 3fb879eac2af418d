import MeetingModel
import RTP
import SRTP
import WebRTC

/// A browser's peer connection as a link: SRTP and SRTCP, one packet in each datagram.
///
/// The browser and `media` have different sources for the same sound and video, so the link
/// replaces the sources in both directions. If the system does not accept a datagram immediately,
/// the link drops the datagram. The network may lose datagrams as well, so browsers can handle
/// this. All methods run on the socket thread of `media`.
final class WebRTCLink: PacketLink {
  /// The session of the link; `nil` before ``open(for:)`` and after ``close()``.
  ///
  /// The session and its link reference each other until ``close()``. A weak reference would make
  /// each use of the session slower.
  private(set) var session: MediaServerSession?
  private(set) var numbers: LinkRTPParameters
  private(set) var isOpen = false

  /// The SSRCs in `media` of the sound that the session sends, and of the mix for the session;
  /// `nil` while the link has no session. The link stores these SSRCs, because it needs them for
  /// each packet.
  private var sources: (sent: UInt32, mix: UInt32)?
  private(set) var droppedPackets: UInt64 = 0

  /// The figures that `media` last reported to operators.
  var told = LastReportedBrowserStatistics()

  private var sender: SRTPSender
  private var receiver: SRTPReceiver
  private let transmit: (Span<UInt8>) -> Void

  /// The SSRC of the browser's sound; `nil` until the offer or a packet contains it.
  private var audioSSRC: UInt32?
  private var video: BrowserVideoStreamMap

  /// The transport-wide numbers of sent packets. If the browser acknowledges packets by these
  /// numbers, the link writes the numbers into packets.
  private let numbering = TransportNumbers()

  /// The transport-wide numbers of arrived packets.
  private var arrivals = TransportArrivalLog()

  /// The estimate of the link from the browser; `nil` unless the browser sends video whose packets
  /// have no transport-wide numbers.
  private var uplink: UplinkEstimator?

  /// The id of the header extension that carries the time at which the browser sent a packet; `nil`
  /// if the browser does not use this extension.
  private var sendTimeID: UInt8?

  /// Whether the link must send feedback.
  private var owesFeedback = false
  private let origin = ContinuousClock.now

  /// The id of the header extension that carries the transport-wide number of a packet of sound
  /// from the browser.
  private var soundTransportID: UInt8?

  /// Whether the link acknowledges the browser's packets of sound even if no video arrives.
  private var acknowledgesSound = false

  /// The id of the header extension that carries the transport-wide number of a packet of the mix;
  /// `nil` if these packets have no numbers.
  private var mixTransportID: UInt8?

  /// The number of packets that one feedback acknowledges if no video arrives: 200 ms of sound.
  ///
  /// Browsers with a slow link also report the arrival of packets about every 200 ms.
  private static let soundOfFeedback = 10

  /// The sent packets of the mix; `nil` unless both sides have negotiated NACKs for sound.
  private var sentSound: MixRetransmissionBuffer?

  /// The buffer of the next packet. Later packets reuse this buffer.
  private var room: [UInt8] = []

  /// The header extensions of the next packet. Later packets reuse this storage.
  private var block = HeaderExtensionBlock()

  /// The maximum number of sent streams, for the mix and a hundred tracks with their
  /// retransmissions.
  private static let mostStreams = 256

  /// - Parameters:
  ///   - keys: The SRTP keys of each direction.
  ///   - media: The result of the negotiation.
  ///   - layers: The sources that `media` uses for the layers of the browser's outgoing video.
  ///   - transmit: Sends a datagram to the browser. The bytes are valid only during the call.
  /// - Returns: `nil` if the browser and `media` have no audio codec in common.
  init?(
    _ keys: (send: MasterKey, receive: MasterKey), _ media: NegotiatedMedia, layers: [UInt32] = [],
    transmit: @escaping (Span<UInt8>) -> Void
  ) {
    guard let audio = media.audio, let numbers = LinkRTPParameters(audio, media) else { return nil }
    sender = SRTPSender(keys.send, streams: Self.mostStreams)
    receiver = SRTPReceiver(keys.receive)
    self.numbers = numbers
    self.transmit = transmit
    audioSSRC = audio.sources.first?.ssrc
    video = BrowserVideoStreamMap(media, layers: layers)
    self.numbers.dependencyDescriptor = video.descriptorID
    number(audio, of: media)
    estimate(media)
    if audio.repeatsSound { sentSound = MixRetransmissionBuffer() }
    room.reserveCapacity(2_048)
  }

  /// The refused packets of the browser, by reason.
  var refusals: SRTPRefusalCounts { receiver.refusals }

  var backlog: PacketBacklog { PacketBacklog() }

  var acknowledgement: FeedbackFormat? { isAcknowledged ? .transportFeedback : nil }

  var transportNumbers: TransportNumbers? {
    video.transportID == nil && mixTransportID == nil ? nil : numbering
  }

  /// Whether the link acknowledges the browser's video, sound or both.
  private var isAcknowledged: Bool { video.transportID != nil || acknowledgesSound }

  var isContinuous: Bool { true }

  var repeatsSound: Bool { sentSound != nil }

  /// Always true: a browser applies a REMB, even if it also measures its link with transport-wide
  /// numbers.
  var takesEstimates: Bool { true }

  var uplinkEstimate: Int? { uplink?.bitsPerSecond }

  /// Always true: libwebrtc, which Chromium, Firefox and Safari use, ignores a PLI or FIR within
  /// 300 ms after the last request that it has answered (`video/encoder_rtcp_feedback.cc`). This
  /// limit applies to all layers together.
  var ignoresEarlyKeyFrameRequests: Bool { true }

  func carries(track ssrc: UInt32) -> Bool { video.carries(track: ssrc) }

  /// Starts to carry a session.
  func open(for session: MediaServerSession) {
    (self.session, isOpen, droppedPackets) = (session, true, 0)
    sources = (session.sendSSRC, session.streams.receiveSSRC)
  }

  func close() { (session, sources, isOpen) = (nil, nil, false) }

  /// Applies the result of a later offer. `layers` are the sources that `media` uses for the layers
  /// of the browser's outgoing video.
  func apply(_ media: NegotiatedMedia, layers: [UInt32]) {
    guard let audio = media.audio, let numbers = LinkRTPParameters(audio, media) else { return }
    if let ssrc = audio.sources.first?.ssrc { audioSSRC = ssrc }
    self.numbers = numbers
    sentSound = audio.repeatsSound ? sentSound ?? MixRetransmissionBuffer() : nil
    var video = BrowserVideoStreamMap(media, layers: layers)
    video.goOn(from: self.video)
    self.video = video
    self.numbers.dependencyDescriptor = video.descriptorID
    number(audio, of: media)
    estimate(media)
  }

  /// Determines which packets of sound have transport-wide numbers.
  ///
  /// If the browser receives video but does not acknowledge video, the packets of the mix have no
  /// numbers. From numbers of the mix alone, `media` could not estimate a link that also carries
  /// video.
  private func number(_ audio: NegotiatedSection, of media: NegotiatedMedia) {
    soundTransportID = audio.transportID
    let agreed = audio.agreedTransportID
    acknowledgesSound = agreed != nil
    mixTransportID = video.transportID != nil || media.decodedCodecs.isEmpty ? agreed : nil
  }

  /// Determines whether the link estimates its uplink, and how the link finds the times of sending.
  private func estimate(_ media: NegotiatedMedia) {
    let isNeeded = video.transportID == nil && media.sentVideo != nil
    uplink = isNeeded ? uplink ?? UplinkEstimator() : nil
    sendTimeID = media.absoluteSendTimeID
  }

  // MARK: To the browser

  func send(_ packet: Span<UInt8>) {
    numbering.pass()
    guard isOpen else {
      droppedPackets += 1
      return
    }
    guard write(packet) else { return }
    guard let count = protect() else {
      droppedPackets += 1
      return
    }
    // `datagram` refers to the same bytes as `room`. The variable is necessary, because a closure
    // cannot take bytes that this code borrows from a property.
    let datagram = room
    if sentSound != nil { keep(datagram.span.extracting(..<count), of: packet) }
    transmit(datagram.span.extracting(..<count))
  }

  /// Stores a packet of the mix for retransmission.
  private func keep(_ datagram: Span<UInt8>, of packet: Span<UInt8>) {
    guard !RTPPacket.isRTCP(packet), let parts = RTPPacket(packet), isMix(parts) else { return }
    sentSound?.store(datagram, parts.sequence)
  }

  /// Retransmits those packets of the mix that the browser requests with a NACK.
  private func answerNacks(in bytes: Span<UInt8>) {
    guard sentSound != nil, let sources else { return }
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes) {
      guard case .nack(let list) = packet, list.media == sources.mix else { continue }
      list.forEach(in: bytes) { sequence in
        if let datagram = sentSound?.take(sequence) { transmit(datagram.span) }
      }
    }
  }

  /// Writes a packet into ``room``, in the form that the browser expects.
  ///
  /// - Returns: `false` if the browser has no stream for the packet.
  private func write(_ packet: Span<UInt8>) -> Bool {
    guard !RTPPacket.isRTCP(packet), let parts = RTPPacket(packet) else {
      room.replaceAll(copying: packet)
      return true
    }
    guard !isMix(parts) else {
      writeMix(parts, in: packet)
      return true
    }
    switch video.depart(parts) {
    case .none: return false
    case .padding(let type, let ssrc, let sequence):
      begin(parts, type, sequence, ssrc, in: packet)
      pad(parts, in: packet)
    case .asItIs where parts.payload.isEmpty:
      begin(parts, parts.payloadType, parts.sequence, parts.ssrc, in: packet)
      pad(parts, in: packet)
    case .asItIs:
      begin(parts, parts.payloadType, parts.sequence, parts.ssrc, in: packet)
      room.append(copying: packet.extracting(parts.payload))
    case .repeated(let type, let ssrc, let sequence):
      begin(parts, type, sequence, ssrc, in: packet)
      Retransmission.append(parts, in: packet, to: &room)
    }
    return true
  }

  /// Writes a packet of the mix into ``room``, with a transport-wide number if the mix has numbers.
  private func writeMix(_ parts: RTPPacket, in packet: Span<UInt8>) {
    guard let mixTransportID else { return room.replaceAll(copying: packet) }
    block.begin(.oneByte)
    block.append(mixTransportID, numbering.take().rawValue)
    OutgoingRTPHeader(
      payloadType: parts.payloadType, sequence: parts.sequence, timestamp: parts.timestamp,
      ssrc: parts.ssrc, isMarked: parts.isMarked
    ).begin(in: &room, block)
    room.append(copying: packet.extracting(parts.payload))
  }

  /// Writes a header into ``room``, with the header extensions of the browser.
  private func begin(
    _ packet: RTPPacket, _ payloadType: UInt8, _ sequence: SequenceNumber, _ ssrc: UInt32,
    in bytes: Span<UInt8>
  ) {
    let header = OutgoingRTPHeader(
      payloadType: payloadType, sequence: sequence, timestamp: packet.timestamp, ssrc: ssrc,
      isMarked: packet.isMarked)
    extend(packet, in: bytes)
    guard !block.isEmpty else { return header.begin(in: &room) }
    header.begin(in: &room, block)
  }

  /// Replaces ``block`` by the header extensions for the browser: the transport-wide number, and
  /// the extensions of the packet that the browser uses.
  ///
  /// Omits the publisher's other header extensions, because their ids are valid only on the
  /// publisher's own link.
  private func extend(_ packet: RTPPacket, in bytes: Span<UInt8>) {
    let isAV1 = packet.payloadType == numbers.av1 && !packet.payload.isEmpty
    let descriptor =
      isAV1 && video.descriptorID != nil ? DependencyDescriptor(of: packet, in: bytes) : nil
    block.begin(HeaderExtensionBlock.Form(fitting: descriptor?.range.count ?? 0))
    if let id = video.transportID { block.append(id, numbering.take().rawValue) }
    if let id = video.orientationID, !packet.payload.isEmpty,
      let orientation = VideoOrientation(of: packet, in: bytes)
    {
      block.append(id, orientation)
    }
    if let id = video.descriptorID, let descriptor {
      block.append(id, bytes.extracting(descriptor.range))
    }
  }

  private func pad(_ packet: RTPPacket, in bytes: Span<UInt8>) {
    room[0] |= 0x20
    room.append(copying: bytes.extracting(packet.payload.upperBound..<bytes.count))
  }

  private func isMix(_ packet: RTPPacket) -> Bool {
    packet.payloadType == numbers.opus || sources?.mix == packet.ssrc
  }

  /// Bytes that the link appends to a packet. Protection then overwrites these bytes.
  private static let spareBytes = [UInt8](repeating: 0, count: 32)

  /// Protects the packet in ``room``, and returns its size.
  private func protect() -> Int? {
    let count = room.count
    let isRTCP = RTPPacket.isRTCP(room.span)
    room.append(copying: Self.spareBytes.span.extracting(..<sender.rtcpOverhead))
    var elements = room.mutableSpan
    if isRTCP { name(&elements, count) }
    var bytes = unsafe elements.mutableBytes
    let result =
      isRTCP
      ? sender.protectRTCP(&bytes, count: count)
      : sender.protectRTP(&bytes, count: count)
    return try? result.get()
  }

  private func name(_ packet: inout MutableSpan<UInt8>, _ count: Int) {
    if let sources, let audioSSRC {
      RTCPSourceMap.rename(sources.sent, to: audioSSRC, in: &packet, count: count)
    }
    video.nameForBrowser(&packet, count: count)
  }

  // MARK: From the browser

  /// Decrypts a datagram in place, and replaces the browser's source by the source in `media`.
  ///
  /// - Parameter count: The size of the datagram at the start of `datagram`.
  /// - Returns: The size of the decrypted packet at the start of `datagram`, or 0 if the packet
  ///   only probes the path; `nil` for a forged or repeated datagram, or for a datagram that is not
  ///   a packet.
  func open(_ datagram: inout MutableSpan<UInt8>, count: Int) -> Int? {
    guard count >= RTPPacket.smallestHeaderBytes, let sources else { return nil }
    let isRTCP = RTPPacket.isRTCP(datagram.span.extracting(..<count))
    guard let count = unprotect(&datagram, count: count, isRTCP) else { return nil }
    if isRTCP {
      answerNacks(in: datagram.span.extracting(..<count))
      nameReports(in: &datagram, count: count, as: sources.sent)
      return count
    }
    guard let packet = RTPPacket(datagram.span.extracting(..<count)) else { return count }
    noteArrival(of: packet, in: datagram.span)
    if uplink != nil { measureUplink(packet, in: datagram.span.extracting(..<count)) }
    if isSound(packet.payloadType) {
      name(packet, in: &datagram, as: sources.sent)
      return count
    }
    return takeVideo(packet, in: &datagram, count: count)
  }

  private func unprotect(
    _ datagram: inout MutableSpan<UInt8>, count: Int, _ isRTCP: Bool
  ) -> Int? {
    var bytes = unsafe datagram.mutableBytes
    let result =
      isRTCP
      ? receiver.openRTCP(&bytes, count: count) : receiver.openRTP(&bytes, count: count)
    return try? result.get()
  }

  // MARK: Feedback

  /// Records the arrival of a packet by its transport-wide number.
  private func noteArrival(of packet: RTPPacket, in bytes: Span<UInt8>) {
    guard isAcknowledged else { return }
    let isSound = isSound(packet.payloadType)
    guard let id = isSound ? soundTransportID : video.transportID,
      let value = packet.headerExtension(id, in: bytes), value.count >= 2
    else { return }
    let number = UInt16(bytes[value.lowerBound]) << 8 | UInt16(bytes[value.lowerBound + 1])
    let time = MonotonicTime(microseconds: (ContinuousClock.now - origin).wholeUs)
    arrivals.receive(SequenceNumber(number), at: time)
    let isDue = acknowledgesSound && arrivals.freshPackets >= Self.soundOfFeedback
    if !isSound || isDue { owesFeedback = true }
  }

  /// Records the arrival of a packet for the estimate of the uplink.
  private func measureUplink(_ packet: RTPPacket, in bytes: Span<UInt8>) {
    var sendTime: UInt32?
    if let id = sendTimeID, let value = packet.headerExtension(id, in: bytes), value.count == 3 {
      sendTime = value.reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
    }
    uplink?.receive(
      ssrc: packet.ssrc, packet.sequence, bytes: bytes.count, absoluteSendTime: sendTime,
      videoTimestamp: isSound(packet.payloadType) ? nil : packet.timestamp,
      at: MonotonicTime(microseconds: (ContinuousClock.now - origin).wholeUs))
  }

  func takeFeedback(within limit: Int, into writer: inout RTCPWriter) -> Bool {
    guard owesFeedback else { return false }
    arrivals.takeFeedback(sender: 0, media: audioSSRC ?? 0, within: limit, into: &writer)
    owesFeedback = arrivals.freshPackets > 0
    return !writer.bytes.isEmpty
  }

  private func nameReports(in packet: inout MutableSpan<UInt8>, count: Int, as source: UInt32) {
    video.nameForMedia(&packet, count: count)
    guard let audioSSRC else { return }
    RTCPSourceMap.rename(audioSSRC, to: source, in: &packet, count: count)
  }

  private func name(_ packet: RTPPacket, in bytes: inout MutableSpan<UInt8>, as source: UInt32) {
    if audioSSRC == nil { audioSSRC = packet.ssrc }
    guard packet.ssrc == audioSSRC else { return }
    RTPPatch(
      sequence: packet.sequence, timestamp: packet.timestamp, ssrc: source
    ).apply(to: &bytes)
  }

  private func isSound(_ payloadType: UInt8) -> Bool {
    payloadType == numbers.opus || payloadType == numbers.redundantOpus
  }

  /// Converts a video packet of the browser to a packet of `media`.
  ///
  /// Removes the packet's header extensions, because their ids are valid only on this link. Then
  /// adds the orientation of the picture and the description of an AV1 frame again, with the ids
  /// that `media` uses.
  private func takeVideo(
    _ packet: RTPPacket, in bytes: inout MutableSpan<UInt8>, count: Int
  ) -> Int? {
    guard let stream = video.stream(of: packet, in: bytes.span.extracting(..<count)),
      let source = video.source(of: stream)
    else { return count }
    let type = stream.isRepair ? video.original(of: packet.payloadType) : packet.payloadType
    keepExtensions(of: packet, in: bytes.span.extracting(..<count), isAV1: type == numbers.av1)
    let compact = packet.compact(in: &bytes)
    guard let packet = RTPPacket(bytes.span.extracting(..<compact)) else { return nil }
    guard let named = name(packet, of: stream, as: source, in: &bytes) else { return nil }
    // The received packet had these header extensions, so the buffer has room for them.
    guard !block.isEmpty, named > 0, !packet.payload.isEmpty else { return named }
    return block.insert(into: &bytes, count: named)
  }

  /// Replaces ``block`` by those header extensions of a browser's packet that `media` forwards.
  private func keepExtensions(of packet: RTPPacket, in bytes: Span<UInt8>, isAV1: Bool) {
    let descriptorID = isAV1 ? video.descriptorID : nil
    let descriptor = descriptorID.flatMap { DependencyDescriptor(of: packet, id: $0, in: bytes) }
    block.begin(HeaderExtensionBlock.Form(fitting: descriptor?.range.count ?? 0))
    let orientation = video.orientationID.flatMap {
      VideoOrientation(of: packet, id: $0, in: bytes)
    }
    if let orientation { block.append(VideoOrientation.id, orientation) }
    if let descriptor {
      block.append(DependencyDescriptor.id, bytes.extracting(descriptor.range))
    }
  }

  /// Replaces the source of a video packet without header extensions by the source in `media`.
  private func name(
    _ packet: RTPPacket, of stream: BrowserVideoStreamMap.Stream, as source: UInt32,
    in bytes: inout MutableSpan<UInt8>
  ) -> Int? {
    guard !stream.isRepair else { return unwrap(packet, as: source, in: &bytes) }
    RTPPatch(sequence: packet.sequence, timestamp: packet.timestamp, ssrc: source)
      .apply(to: &bytes)
    return packet.payload.upperBound + packet.paddingBytes
  }

  private func unwrap(
    _ packet: RTPPacket, as source: UInt32, in bytes: inout MutableSpan<UInt8>
  ) -> Int? {
    guard let type = video.original(of: packet.payloadType) else { return nil }
    return Retransmission.unwrap(packet, payloadType: type, ssrc: source, in: &bytes) ?? 0
  }
}

extension NegotiatedMedia {
  /// The audio section that the answer accepts; `nil` for none.
  fileprivate var audio: NegotiatedSection? { sections.first { $0.isTaken && $0.kind == "audio" } }

  /// The id of the header extension that carries the time at which the browser sent a packet. The
  /// sections of a connection use the same id.
  fileprivate var absoluteSendTimeID: UInt8? {
    let extensions = sections.lazy.filter(\.isTaken).flatMap(\.extensions)
    return extensions.first { $0.uri == HeaderExtension.absoluteSendTime }?.id
  }

  /// Returns the payload type of a codec in the first video section that contains the codec.
  ///
  /// - Parameter mode: The packetization mode of H.264; `nil` for other codecs.
  fileprivate func payloadType(of name: String, mode: Int? = nil) -> UInt8? {
    for section in sections where section.isTaken && section.kind == "video" {
      let codec = section.codecs.first {
        $0.isTaken && $0.name == name && $0.packetizationMode == mode
      }
      if let codec { return codec.payloadType }
    }
    return nil
  }
}

extension NegotiatedSection {
  /// Whether the browser and `media` have negotiated NACKs for sound.
  fileprivate var repeatsSound: Bool {
    codecs.contains { $0.isTaken && $0.name == "opus" && $0.takenFeedback.contains("nack") }
  }

  /// The id of the header extension that carries a packet's transport-wide number.
  fileprivate var transportID: UInt8? {
    extensions.first { $0.uri == HeaderExtension.transportWideNumber }?.id
  }

  /// ``transportID``, if both sides acknowledge packets by transport-wide numbers, and if the
  /// one-byte form of header extensions permits this id; `nil` otherwise.
  fileprivate var agreedTransportID: UInt8? {
    guard codecs.contains(where: { $0.isTaken && $0.isTransportWide }) else { return nil }
    return transportID.flatMap { (1...14).contains($0) ? $0 : nil }
  }
}

extension LinkRTPParameters {
  /// Reads the negotiated payload types and the id of the audio level extension; returns `nil` if
  /// the audio section contains no Opus.
  fileprivate init?(_ audio: NegotiatedSection, _ media: NegotiatedMedia) {
    guard let opus = audio.codecs.first(where: { $0.isTaken && $0.name == "opus" }) else {
      return nil
    }
    let level = audio.extensions.first {
      $0.uri == "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    }
    let redundant = audio.codecs.first { $0.isTaken && $0.name == "red" }
    self.init(
      opus: opus.payloadType, redundantOpus: redundant?.payloadType,
      vp8: media.payloadType(of: "vp8"), h264: media.payloadType(of: "h264", mode: 1),
      h264SingleUnits: media.payloadType(of: "h264", mode: 0),
      vp9: media.payloadType(of: "vp9"), av1: media.payloadType(of: "av1"),
      audioLevel: level.flatMap { UInt8(exactly: $0.id) })
  }
}
