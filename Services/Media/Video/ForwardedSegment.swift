import RTP

/// A stretch of one layer that a receiver gets, from a key frame on.
struct ForwardedSegment: Sendable {
  /// The number of the layer, from 1; 0: nothing is forwarded.
  var layer = 0

  /// The number of its first packet; what came before is not forwarded.
  var first: Int64 = 0

  /// The highest number that was seen.
  var highest: Int64 = -1

  /// The highest picture that was seen.
  var highestPicture: Int64?

  var numbers = Renumbering(offset: 0)
  var pictures = Renumbering(offset: 0)

  /// Outgoing minus incoming.
  var timestampOffset: UInt32 = 0
  var indexOffset: UInt8 = 0

  /// The newest frame, and whether it is forwarded.
  var frameTimestamp: UInt32 = 0
  var forwardsFrame = false

  /// Temporal layers that are forwarded: up to this one.
  var highestTemporalLayer = UInt8.max

  /// Whether a packet lies between the first and the highest one that were seen.
  func contains(_ packet: VideoPacket) -> Bool {
    layer == packet.layer && packet.number >= first && packet.number <= highest
  }

  /// A frame begins: decides whether it is forwarded. Temporal layers go down at once, and up where
  /// nothing refers to what the receiver did not get.
  mutating func beginFrame(_ packet: VideoPacket, temporalLimit: UInt8) {
    if highestTemporalLayer > temporalLimit || packet.startsKeyFrame {
      highestTemporalLayer = temporalLimit
    } else if highestTemporalLayer < temporalLimit, packet.isLayerSync,
      packet.temporalLayer == highestTemporalLayer + 1
    {
      highestTemporalLayer += 1
    }
    forwardsFrame = packet.temporalLayer <= highestTemporalLayer
    frameTimestamp = packet.timestamp
    guard let picture = packet.picture, picture > highestPicture ?? .min else { return }
    highestPicture = picture
    if !forwardsFrame { pictures.leaveOut(picture) }
  }

  /// The numbers of a packet for the receiver. `nil`: it is too old.
  func map(_ packet: VideoPacket, ssrc: UInt32) -> (number: Int64, picture: Int64?, OutgoingVideo)?
  {
    guard let number = numbers.map(packet.number) else { return nil }
    let picture = packet.picture.flatMap { pictures.map($0) }
    let video = OutgoingVideo(
      sequence: SequenceNumber(UInt16(truncatingIfNeeded: number)),
      timestamp: packet.timestamp &+ timestampOffset, ssrc: ssrc,
      pictureID: UInt16(truncatingIfNeeded: picture ?? 0) & 0x7FFF,
      baseLayerIndex: (packet.descriptor?.baseLayerIndex ?? 0) &+ indexOffset)
    return (number, picture, video)
  }
}
