import RTP

/// The part of one layer that a receiver gets: all packets from a key frame on, up to the next
/// change of layer.
struct ForwardedLayerSpan: Sendable {
  /// The number of the layer, from 1; 0 if the receiver gets no layer.
  var layer = 0

  /// The number of the first packet of this part. The forwarder drops earlier packets.
  var first: Int64 = 0

  /// The highest packet number so far.
  var highest: Int64 = -1

  /// The highest picture number so far.
  var highestPicture: Int64?

  var numbers = Renumbering(offset: 0)
  var pictures = Renumbering(offset: 0)

  /// The outgoing timestamp minus the incoming timestamp.
  var timestampOffset: UInt32 = 0

  /// The outgoing base layer index minus the incoming base layer index.
  var indexOffset: UInt8 = 0

  /// The timestamp of the newest frame.
  var frameTimestamp: UInt32 = 0

  /// Whether the receiver gets the newest frame.
  var forwardsFrame = false

  /// The highest forwarded temporal layer.
  var highestTemporalLayer = UInt8.max

  /// Returns whether a packet belongs to this layer and its number is between ``first`` and
  /// ``highest``.
  func contains(_ packet: VideoPacket) -> Bool {
    layer == packet.layer && packet.number >= first && packet.number <= highest
  }

  /// Starts a frame, and decides whether to forward it.
  ///
  /// If `temporalLimit` is lower than the present limit, `temporalLimit` applies immediately. A
  /// higher limit applies from a layer sync frame (VP8) or a switching point (VP9) on: from that
  /// packet on, no frame refers to a dropped frame.
  mutating func beginFrame(_ packet: VideoPacket, temporalLimit: UInt8) {
    if highestTemporalLayer > temporalLimit || packet.startsKeyFrame {
      highestTemporalLayer = temporalLimit
    } else if highestTemporalLayer < temporalLimit, packet.isLayerSync,
      packet.temporalLayer == highestTemporalLayer + 1
    {
      highestTemporalLayer += 1
    } else if packet.isSwitchingPoint, packet.temporalLayer <= highestTemporalLayer {
      highestTemporalLayer = temporalLimit
    }
    forwardsFrame = packet.temporalLayer <= highestTemporalLayer
    frameTimestamp = packet.timestamp
    guard let picture = packet.picture, picture > highestPicture ?? .min else { return }
    highestPicture = picture
    if !forwardsFrame, packet.descriptor?.closesGaps == true { pictures.leaveOut(picture) }
  }

  /// Returns a packet's numbers for the receiver; `nil` if the packet is too old.
  func map(_ packet: VideoPacket, ssrc: UInt32) -> (
    number: Int64, picture: Int64?, ForwardedPacketHeader
  )? {
    guard let number = numbers.map(packet.number) else { return nil }
    let picture = packet.picture.flatMap { pictures.map($0) }
    let video = ForwardedPacketHeader(
      sequence: SequenceNumber(UInt16(truncatingIfNeeded: number)),
      timestamp: packet.timestamp &+ timestampOffset, ssrc: ssrc,
      pictureID: UInt16(truncatingIfNeeded: picture ?? 0),
      baseLayerIndex: (packet.descriptor?.baseLayerIndex ?? 0) &+ indexOffset)
    return (number, picture, video)
  }
}
