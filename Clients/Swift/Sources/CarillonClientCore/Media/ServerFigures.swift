/// What only the server can measure of a session's media, over the last second.
package struct ServerFigures: Hashable, Sendable {
  /// How much of the audio that the client sends is lost, in per cent; `nil` while it sends none.
  package var audioSendLossPercent: Double?
  /// How much of the video that the client sends is lost, in per cent; `nil` while it sends none.
  package var videoSendLossPercent: Double?
  /// Estimate of its uplink; `nil` while it is not known.
  package var availableSendBitsPerSecond: Double?
  /// Estimate of its downlink; `nil` while it is not known.
  package var availableReceiveBitsPerSecond: Double?
  /// Audio packets of others that the server concealed in the mix, in the last second; `nil` before
  /// the server has measured.
  package var audioReceiveConcealedPackets: Double?

  package init(
    audioSendLossPercent: Double? = nil, videoSendLossPercent: Double? = nil,
    availableSendBitsPerSecond: Double? = nil, availableReceiveBitsPerSecond: Double? = nil,
    audioReceiveConcealedPackets: Double? = nil
  ) {
    self.audioSendLossPercent = audioSendLossPercent
    self.videoSendLossPercent = videoSendLossPercent
    self.availableSendBitsPerSecond = availableSendBitsPerSecond
    self.availableReceiveBitsPerSecond = availableReceiveBitsPerSecond
    self.audioReceiveConcealedPackets = audioReceiveConcealedPackets
  }
}
