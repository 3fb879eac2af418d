/// The metrics of a session's media that only the server can measure, over the last second.
package struct ServerMeasuredMetrics: Hashable, Sendable {
  /// The loss of the audio that the client sends, in per cent; `nil` while the client sends no
  /// audio.
  package var audioSendLossPercent: Double?
  /// The loss of the video that the client sends, in per cent; `nil` while the client sends no
  /// video.
  package var videoSendLossPercent: Double?
  /// The estimated bandwidth of the client's uplink, in bit/s; `nil` while unknown.
  package var availableSendBitsPerSecond: Double?
  /// The estimated bandwidth of the client's downlink, in bit/s; `nil` while unknown.
  package var availableReceiveBitsPerSecond: Double?
  /// The number of other attendees' audio packets whose loss the server concealed in the mix in the
  /// last second; `nil` before the first measurement.
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
