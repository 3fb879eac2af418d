import RTP

/// The numbers of a packet as one receiver gets it.
struct OutgoingVideo: Hashable, Sendable {
  var sequence: SequenceNumber
  var timestamp: UInt32
  var ssrc: UInt32
  var pictureID: UInt16 = 0
  var baseLayerIndex: UInt8 = 0

  /// Writes them over those of a packet of the publisher, or of another receiver.
  func apply(to bytes: inout [UInt8], _ packet: VideoPacket) {
    var span = bytes.mutableSpan
    RTPPatch(sequence: sequence, timestamp: timestamp, ssrc: ssrc).apply(to: &span)
    packet.descriptor?.patch(
      &span, payloadAt: packet.payloadStart, pictureID: pictureID, baseLayerIndex: baseLayerIndex)
  }
}
