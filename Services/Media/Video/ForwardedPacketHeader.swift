import RTP

/// The header values of a packet for one receiver.
struct ForwardedPacketHeader: Hashable, Sendable {
  var sequence: SequenceNumber
  var timestamp: UInt32
  var ssrc: UInt32
  var pictureID: UInt16 = 0
  var baseLayerIndex: UInt8 = 0

  /// Overwrites the header values in a packet of the publisher, or in a packet for another
  /// receiver.
  ///
  /// - Parameter payloadType: The receiver's payload type for the packet's codec.
  func apply(to bytes: inout [UInt8], _ packet: VideoPacket, payloadType: UInt8) {
    var span = bytes.mutableSpan
    RTPPatch(sequence: sequence, timestamp: timestamp, ssrc: ssrc, payloadType: payloadType)
      .apply(to: &span)
    packet.descriptor?.patch(
      &span, payloadAt: packet.payloadStart, pictureID: pictureID, baseLayerIndex: baseLayerIndex)
  }

  /// Writes a packet with parameter sets. The packet belongs to the next frame.
  func write(parameterSets: [UInt8], payloadType: UInt8, into bytes: inout [UInt8]) {
    OutgoingRTPHeader(
      payloadType: payloadType, sequence: sequence, timestamp: timestamp, ssrc: ssrc
    )
    .begin(in: &bytes)
    bytes += parameterSets
  }
}
