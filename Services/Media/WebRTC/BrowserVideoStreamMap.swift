import MeetingModel
import RTP
import WebRTC

/// The mapping between the video streams on a browser's connection and the video streams in
/// `media`, in both directions. A source is an SSRC.
///
/// `media` has one source for each layer that the browser sends. The browser has two sources for
/// each layer: one for the layer, and one for the layer's retransmissions. `media` learns these
/// sources either from the browser's offer, or from packets that contain the ids of their section
/// and layer. The tracks to the browser have the same sources as the tracks in `media`.
struct BrowserVideoStreamMap {
  /// The id of the header extension that carries a packet's transport-wide number; `nil` if neither
  /// side acknowledges packets by these numbers.
  private(set) var transportID: UInt8?

  /// The id of the header extension that carries the orientation of a picture, in both directions;
  /// `nil` if the browser does not use this extension.
  let orientationID: UInt8?

  /// The id of the header extension that describes AV1 frames, in both directions; `nil` if the
  /// browser does not use this extension, or if the browser's packets may not have the two-byte
  /// form.
  let descriptorID: UInt8?

  /// One of the streams that the browser sends.
  struct Stream: Hashable, Sendable {
    /// The number of the layer, from 0.
    let layer: Int

    /// Whether the stream's packets are retransmissions (RFC 4588).
    let isRepair: Bool
  }

  /// A track that `media` sends to the browser.
  private struct Track {
    var highest: SequenceNumber?

    /// The sequence number of the next retransmission.
    var repair: SequenceNumber
  }

  /// The sources of the layers in `media`, lowest bitrate first.
  private let layers: [UInt32]

  /// The ids of the layers; empty without simulcast. `mid` is the id of the layers' section.
  private let rids: [[UInt8]]
  private let mid: [UInt8]
  private let ids: ExtensionIDs

  /// The known streams of the browser, by source.
  private var streams: [UInt32: Stream] = [:]

  /// The browser's source of each layer.
  private var names: [UInt32?]

  /// The known sources of the section that last sent video; `nil` while a section sends.
  ///
  /// Chromium writes the ids of layers into its packets only until `media` has acknowledged the
  /// first packets of a source. When the section stops and later sends again, Chromium does not
  /// write these ids again.
  private var stopped: KnownLayers?

  private var tracks: [UInt32: Track] = [:]

  /// The former tracks, which no longer have a section.
  ///
  /// If a track gets a section again, its sequence numbers continue, because SRTP must never use a
  /// sequence number twice.
  private var former: [UInt32: Track] = [:]

  /// The maximum number of former tracks.
  private static let mostFormer = 256

  /// The track of the last sent packet.
  private var busiest: (ssrc: UInt32, payloadType: UInt8)?
  private let repairTypes: RetransmissionPayloadTypes

  /// - Parameters:
  ///   - media: The result of the negotiation.
  ///   - layers: The sources of the layers in `media`.
  init(_ media: NegotiatedMedia, layers: [UInt32]) {
    let section = media.sentVideo
    (self.layers, mid) = (layers, Array((section?.mid ?? "").utf8))
    rids = section?.receivedRIDs.map { Array($0.utf8) } ?? []
    names = [UInt32?](repeating: nil, count: max(rids.count, 1))
    ids = ExtensionIDs(section)
    repairTypes = RetransmissionPayloadTypes(media)
    transportID = media.transportID
    orientationID = media.videoExtension(VideoOrientation.uri)
    descriptorID =
      media.allowsMixedExtensions ? media.videoExtension(DependencyDescriptor.uri) : nil
    for track in media.tracks { tracks[track.ssrc] = Track(repair: Self.firstNumber) }
    if let section, rids.isEmpty { learn(section) }
  }

  /// A random first sequence number of a stream, below 2^15. ``SRTP/SRTPSender`` explains the
  /// limit.
  private static var firstNumber: SequenceNumber { SequenceNumber(.random(in: 0..<(1 << 15))) }

  /// Stores the sources that an offer contains.
  ///
  /// Ignores a source of retransmissions that is also the source of the camera.
  private mutating func learn(_ section: NegotiatedSection) {
    guard let source = section.sources.first?.ssrc else { return }
    note(Stream(layer: 0, isRepair: false), as: source)
    let pairs = section.sourceGroups.filter { $0.semantics == "FID" && $0.ssrcs.count == 2 }
    guard let pair = pairs.first(where: { $0.ssrcs[0] == source && $0.ssrcs[1] != source }) else {
      return
    }
    note(Stream(layer: 0, isRepair: true), as: pair.ssrcs[1])
  }

  /// Takes over those parts of the previous state that a later offer does not change.
  mutating func goOn(from former: BrowserVideoStreamMap) {
    transportID = transportID ?? former.transportID
    busiest = former.busiest
    self.former = former.former
    for (ssrc, track) in former.tracks where self.former.count < Self.mostFormer {
      self.former[ssrc] = track
    }
    for ssrc in tracks.keys {
      if let known = self.former.removeValue(forKey: ssrc) { tracks[ssrc] = known }
    }
    let known = former.rids.isEmpty ? former.stopped : former.knownLayers
    if rids.isEmpty {
      stopped = known
    } else if let known, rids == known.rids, mid == known.mid {
      (streams, names) = (known.streams, known.names)
    }
  }

  /// The sources of a section's layers, learned from the ids in the section's packets.
  private struct KnownLayers {
    let mid: [UInt8]
    let rids: [[UInt8]]
    let streams: [UInt32: Stream]
    let names: [UInt32?]
  }

  private var knownLayers: KnownLayers {
    KnownLayers(mid: mid, rids: rids, streams: streams, names: names)
  }

  // MARK: From the browser

  /// Returns the stream of a packet; `nil` if the packet belongs to no negotiated stream.
  mutating func stream(of packet: RTPPacket, in bytes: Span<UInt8>) -> Stream? {
    if let known = streams[packet.ssrc] { return known }
    guard let stream = rids.isEmpty ? only(packet, in: bytes) : layer(of: packet, in: bytes) else {
      return nil
    }
    note(stream, as: packet.ssrc)
    return stream
  }

  /// Returns the stream of a packet from a browser that sends no simulcast. The stream belongs to
  /// layer 0.
  ///
  /// - Returns: `nil` if the packet does not contain the id of the browser's video section.
  private func only(_ packet: RTPPacket, in bytes: Span<UInt8>) -> Stream? {
    guard !mid.isEmpty, Self.value(of: ids.mid, in: packet, bytes, is: mid) else { return nil }
    return Stream(layer: 0, isRepair: repairTypes.original(of: packet.payloadType) != nil)
  }

  private func layer(of packet: RTPPacket, in bytes: Span<UInt8>) -> Stream? {
    for layer in rids.indices {
      if Self.value(of: ids.rid, in: packet, bytes, is: rids[layer]) {
        return Stream(layer: layer, isRepair: false)
      }
      if Self.value(of: ids.repairedRID, in: packet, bytes, is: rids[layer]) {
        return Stream(layer: layer, isRepair: true)
      }
    }
    return nil
  }

  private static func value(
    of id: UInt8?, in packet: RTPPacket, _ bytes: Span<UInt8>, is expected: [UInt8]
  ) -> Bool {
    guard let id, let value = packet.headerExtension(id, in: bytes),
      value.count == expected.count
    else { return false }
    for index in 0..<expected.count where bytes[value.lowerBound + index] != expected[index] {
      return false
    }
    return true
  }

  /// Stores the source of a stream, and removes the stream's former source.
  private mutating func note(_ stream: Stream, as source: UInt32) {
    for (former, known) in streams where known == stream { streams[former] = nil }
    streams[source] = stream
    if !stream.isRepair { names[stream.layer] = source }
  }

  /// Returns the source of a layer in `media`; `nil` if the publisher does not publish the layer.
  func source(of stream: Stream) -> UInt32? {
    stream.layer < layers.count ? layers[stream.layer] : nil
  }

  /// Returns the payload type of the original packets for a payload type of retransmissions.
  func original(of repairType: UInt8) -> UInt8? { repairTypes.original(of: repairType) }

  // MARK: Reports

  /// In an RTCP packet to the browser, replaces the sources of `media` by the browser's sources.
  func nameForBrowser(_ packet: inout MutableSpan<UInt8>, count: Int) {
    for (layer, name) in zip(layers, names) {
      guard let name else { continue }
      RTCPSourceMap.rename(layer, to: name, in: &packet, count: count)
    }
  }

  /// In an RTCP packet from the browser, replaces the browser's sources by the sources of `media`.
  func nameForMedia(_ packet: inout MutableSpan<UInt8>, count: Int) {
    for (layer, name) in zip(layers, names) {
      guard let name else { continue }
      RTCPSourceMap.rename(name, to: layer, in: &packet, count: count)
    }
  }

  // MARK: To the browser

  /// Returns whether the browser has a section for a track.
  func carries(track ssrc: UInt32) -> Bool { tracks[ssrc] != nil }

  /// The way in which the link sends a packet.
  enum OutgoingMapping: Hashable, Sendable {
    /// The link sends the packet unchanged.
    case asItIs

    /// The link sends the packet as a retransmission, because the link has already sent this packet
    /// or a later packet.
    case repeated(payloadType: UInt8, ssrc: UInt32, sequence: SequenceNumber)

    /// The link sends the packet as padding in the stream of retransmissions (RFC 4588, section 4).
    case padding(payloadType: UInt8, ssrc: UInt32, sequence: SequenceNumber)

    /// The link drops the packet: it belongs to no track, or the link cannot retransmit it.
    case none
  }

  /// Returns how the link sends a packet of a track.
  mutating func depart(_ packet: RTPPacket) -> OutgoingMapping {
    guard let track = tracks[packet.ssrc] else {
      return packet.payload.isEmpty ? departAsPadding() : .none
    }
    guard let highest = track.highest, !highest.isBefore(packet.sequence) else {
      tracks[packet.ssrc]?.highest = packet.sequence
      busiest = (packet.ssrc, packet.payloadType)
      return .asItIs
    }
    guard let type = repairTypes.repair(of: packet.payloadType) else { return .none }
    return .repeated(
      payloadType: type, ssrc: VideoTrack.repairSSRC(of: packet.ssrc),
      sequence: takeRepair(of: packet.ssrc))
  }

  /// Returns how the link sends a padding packet.
  ///
  /// On a browser's connection, padding has no stream of its own. Padding uses the retransmission
  /// stream of the track with the last sent packet. If this track has ended, or if no track has a
  /// sent packet yet, padding uses any other track. So `media` can measure a link that has only
  /// paused tracks.
  private mutating func departAsPadding() -> OutgoingMapping {
    let last = busiest.flatMap { tracks[$0.ssrc] == nil ? nil : $0 }
    guard let track = last?.ssrc ?? tracks.first?.key,
      let type = last.flatMap({ repairTypes.repair(of: $0.payloadType) }) ?? repairTypes.any
    else { return .none }
    return .padding(
      payloadType: type, ssrc: VideoTrack.repairSSRC(of: track), sequence: takeRepair(of: track))
  }

  private mutating func takeRepair(of ssrc: UInt32) -> SequenceNumber {
    let number = tracks[ssrc]?.repair ?? SequenceNumber(0)
    tracks[ssrc]?.repair = number.advanced(by: 1)
    return number
  }
}

extension NegotiatedMedia {
  /// Returns the id of a header extension. Several video sections may contain this extension.
  ///
  /// The id must be valid in the one-byte form, because the link writes only this form.
  fileprivate func videoExtension(_ uri: String) -> UInt8? {
    for section in sections where section.isTaken && section.kind == "video" {
      let found = section.extensions.first { $0.uri == uri }
      if let id = found?.id, (1...14).contains(id) { return id }
    }
    return nil
  }

  /// The id of the header extension that carries the transport-wide number. Several video sections
  /// may contain this extension.
  ///
  /// The id must be valid in the one-byte form, because the link writes only this form.
  fileprivate var transportID: UInt8? {
    for section in sections where section.isTaken && section.kind == "video" {
      guard section.codecs.contains(where: { $0.isTaken && $0.isTransportWide }) else { continue }
      let found = section.extensions.first { $0.uri == HeaderExtension.transportWideNumber }
      if let id = found?.id, (1...14).contains(id) { return id }
    }
    return nil
  }
}

/// The ids of the header extensions that identify a stream.
private struct ExtensionIDs {
  let mid: UInt8?
  let rid: UInt8?
  let repairedRID: UInt8?

  init(_ section: NegotiatedSection?) {
    func id(_ name: String) -> UInt8? {
      section?.extensions.first { $0.uri == "urn:ietf:params:rtp-hdrext:sdes:\(name)" }?.id
    }
    (mid, rid) = (id("mid"), id("rtp-stream-id"))
    repairedRID = id("repaired-rtp-stream-id")
  }
}

/// The payload types of original packets and of their retransmissions.
///
/// Chromium and Firefox use the same payload types in all sections of a bundle, as RFC 9143,
/// section 9.1.1, requires.
private struct RetransmissionPayloadTypes {
  private var pairs: [(repair: UInt8, original: UInt8)] = []

  init(_ media: NegotiatedMedia) {
    for section in media.sections where section.isTaken && section.kind == "video" {
      for codec in section.codecs where codec.isTaken {
        guard let original = codec.repeatedType else { continue }
        guard self.original(of: codec.payloadType) == nil else { continue }
        pairs.append((codec.payloadType, original))
      }
    }
  }

  func original(of repair: UInt8) -> UInt8? { pairs.first { $0.repair == repair }?.original }

  var any: UInt8? { pairs.first?.repair }

  func repair(of original: UInt8) -> UInt8? { pairs.first { $0.original == original }?.repair }
}
