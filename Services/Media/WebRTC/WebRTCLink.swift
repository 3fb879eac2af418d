import RTP
import SRTP
import WebRTC

/// A browser's peer connection as a link: SRTP and SRTCP, one packet in each datagram.
///
/// The browser has an SSRC of its own for its sound, and ``MediaSession`` has another one for it.
/// The link renames it in both directions. Datagrams that the system does not take at once are
/// lost, as on any way to the browser. Lives on media's socket thread.
final class WebRTCLink: PacketLink {
  /// The session that it carries; `nil`: none yet, or the session left.
  private(set) weak var session: MediaSession?
  let numbers: LinkNumbers
  private(set) var isOpen = false
  private(set) var droppedPackets: UInt64 = 0

  private var sender: SRTPSender
  private var receiver: SRTPReceiver
  private let transmit: (Span<UInt8>) -> Void

  /// The SSRC of the browser's sound; `nil` until the offer or a packet says it.
  private var audioSSRC: UInt32?

  /// A packet on its way out; its storage is used again.
  private var room = [UInt8](repeating: 0, count: 2_048)

  /// - Parameters:
  ///   - keys: What protects packets in each direction.
  ///   - media: What the offer and the answer agreed on.
  ///   - transmit: Sends a datagram to the browser; the bytes are lent.
  /// - Returns: `nil` if browser and media have no sound in common.
  init?(
    _ keys: (send: MasterKey, receive: MasterKey), _ media: NegotiatedMedia,
    transmit: @escaping (Span<UInt8>) -> Void
  ) {
    guard let audio = media.audio, let numbers = LinkNumbers(audio) else { return nil }
    sender = SRTPSender(keys.send)
    receiver = SRTPReceiver(keys.receive)
    self.numbers = numbers
    self.transmit = transmit
    audioSSRC = audio.sources.first?.ssrc
  }

  var backlog: PacketBacklog { PacketBacklog() }

  var acknowledgement: Acknowledgement? { nil }

  var isContinuous: Bool { true }

  /// The link carries a session from now on.
  func open(for session: MediaSession) {
    (self.session, isOpen, droppedPackets) = (session, true, 0)
  }

  func close() { (session, isOpen) = (nil, false) }

  /// What a later offer says of the sound.
  func apply(_ media: NegotiatedMedia) {
    if let ssrc = media.audio?.sources.first?.ssrc { audioSSRC = ssrc }
  }

  // MARK: To the browser

  func send(_ packet: Span<UInt8>) {
    guard isOpen, let count = protect(packet) else {
      droppedPackets += 1
      return
    }
    // A second reference, no copy: a closure cannot take bytes that a property lends.
    let datagram = room
    transmit(datagram.span.extracting(..<count))
  }

  private func protect(_ packet: Span<UInt8>) -> Int? {
    guard packet.count + sender.rtcpOverhead <= room.count else { return nil }
    for index in packet.indices { room[index] = packet[index] }
    let isRTCP = RTPPacket.isRTCP(packet)
    var elements = room.mutableSpan
    if isRTCP, let session, let audioSSRC {
      RTCPSourceMap.rename(session.sendSSRC, to: audioSSRC, in: &elements, count: packet.count)
    }
    var bytes = unsafe elements.mutableBytes
    let result =
      isRTCP
      ? sender.protectRTCP(&bytes, count: packet.count)
      : sender.protectRTP(&bytes, count: packet.count)
    return try? result.get()
  }

  // MARK: From the browser

  /// Opens a datagram in place, and names its source as the session does.
  ///
  /// - Parameter count: Bytes of the datagram at the start of `datagram`.
  /// - Returns: Bytes of the packet at the start; `nil`: it is forged, repeated, or no packet.
  func open(_ datagram: inout MutableSpan<UInt8>, count: Int) -> Int? {
    guard count >= RTPPacket.smallestHeaderBytes, let session else { return nil }
    let isRTCP = RTPPacket.isRTCP(datagram.span.extracting(..<count))
    guard let count = unprotect(&datagram, count: count, isRTCP) else { return nil }
    if isRTCP {
      nameReports(in: &datagram, count: count, of: session)
    } else {
      nameSound(in: &datagram, count: count, of: session)
    }
    return count
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

  private func nameReports(
    in packet: inout MutableSpan<UInt8>, count: Int, of session: MediaSession
  ) {
    guard let audioSSRC else { return }
    RTCPSourceMap.rename(audioSSRC, to: session.sendSSRC, in: &packet, count: count)
  }

  private func nameSound(
    in packet: inout MutableSpan<UInt8>, count: Int, of session: MediaSession
  ) {
    guard isSound(packet[1] & 0x7F),
      let received = RTPPacket(packet.span.extracting(..<count))
    else { return }
    if audioSSRC == nil { audioSSRC = received.ssrc }
    guard received.ssrc == audioSSRC else { return }
    RTPPatch(
      sequence: received.sequence, timestamp: received.timestamp, ssrc: session.sendSSRC
    ).apply(to: &packet)
  }

  private func isSound(_ payloadType: UInt8) -> Bool {
    payloadType == numbers.opus || payloadType == numbers.redundantOpus
  }
}

extension NegotiatedMedia {
  /// The section of sound that the answer accepts; `nil` without one.
  fileprivate var audio: NegotiatedSection? { sections.first { $0.isTaken && $0.kind == "audio" } }
}

extension LinkNumbers {
  /// What a browser's section of sound calls things. `nil`: it has no Opus.
  fileprivate init?(_ audio: NegotiatedSection) {
    guard let opus = audio.codecs.first(where: { $0.isTaken && $0.name == "opus" }) else {
      return nil
    }
    let level = audio.extensions.first {
      $0.uri == "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    }
    let redundant = audio.codecs.first { $0.isTaken && $0.name == "red" }
    self.init(
      opus: opus.payloadType, redundantOpus: redundant?.payloadType, vp8: nil, h264: nil,
      audioLevel: level.flatMap { UInt8(exactly: $0.id) })
  }
}
