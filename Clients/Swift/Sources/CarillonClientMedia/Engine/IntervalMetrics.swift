internal import CarillonClientCore

/// The running totals of a session's media. The metrics of an interval are the difference between
/// two totals.
struct MediaTotals: Hashable, Sendable {
  var audioExpected = 0
  var audioLost = 0
  var videoSentBytes = 0
  /// The number of sent frames of the layer with the most sent frames.
  var videoSentFrames = 0
  var videoReceivedBytes = 0
  var videoExpected = 0
  var videoLost = 0
}

/// The metrics of the interval between two totals.
struct IntervalMetrics: Hashable, Sendable {
  var audioReceiveLossPercent: Double?
  var videoSendBitsPerSecond: Double?
  var videoSendFramesPerSecond: Double?
  var videoReceiveBitsPerSecond: Double?
  var videoReceiveLossPercent: Double?

  /// - Parameters:
  ///   - seconds: The length of the interval, in seconds.
  ///   - sendsVideo: Whether the session sends video; if not, the result omits the metrics of sent
  ///     video. `receivesAudio` and `receivesVideo` apply in the same way to received media.
  init(
    from before: MediaTotals, to now: MediaTotals, seconds: Double, receivesAudio: Bool,
    sendsVideo: Bool, receivesVideo: Bool
  ) {
    guard seconds > 0 else { return }
    if receivesAudio {
      audioReceiveLossPercent = Self.percent(
        now.audioLost - before.audioLost, of: now.audioExpected - before.audioExpected)
    }
    if sendsVideo {
      videoSendBitsPerSecond = Double(now.videoSentBytes - before.videoSentBytes) * 8 / seconds
      videoSendFramesPerSecond = Double(now.videoSentFrames - before.videoSentFrames) / seconds
    }
    if receivesVideo {
      videoReceiveBitsPerSecond =
        Double(now.videoReceivedBytes - before.videoReceivedBytes) * 8 / seconds
      videoReceiveLossPercent = Self.percent(
        now.videoLost - before.videoLost, of: now.videoExpected - before.videoExpected)
    }
  }

  static func percent(_ part: Int, of whole: Int) -> Double {
    whole > 0 ? min(100, max(0, 100 * Double(part) / Double(whole))) : 0
  }
}

extension IntervalMetrics {
  /// Returns the metrics by their public names. Omits metrics that are `nil`.
  func named(
    _ server: ServerMeasuredMetrics, roundTripMs: Double?, isContent: Bool
  ) -> [ObservableMetric: Double] {
    let figures: [(ObservableMetric, Double?)]
    if isContent {
      figures = [
        (.contentShareVideoSendBitrate, videoSendBitsPerSecond),
        (.contentShareVideoSendFps, videoSendFramesPerSecond),
        (.contentShareVideoSendPacketLossPercent, server.videoSendLossPercent),
        (.contentShareVideoSendRttMs, videoSendBitsPerSecond == nil ? nil : roundTripMs),
      ]
    } else {
      figures = [
        (.audioReceivePacketLossPercent, audioReceiveLossPercent),
        (
          .audioReceiveConcealedPackets,
          audioReceiveLossPercent == nil ? nil : server.audioReceiveConcealedPackets
        ),
        (.audioSendPacketLossPercent, server.audioSendLossPercent),
        (.videoAvailableSendBandwidth, server.availableSendBitsPerSecond),
        (.videoAvailableReceiveBandwidth, server.availableReceiveBitsPerSecond),
        (.videoSendBitrate, videoSendBitsPerSecond),
        (.videoSendFps, videoSendFramesPerSecond),
        (.videoSendPacketLossPercent, server.videoSendLossPercent),
        (.videoSendRttMs, videoSendBitsPerSecond == nil ? nil : roundTripMs),
        (.videoReceiveBitrate, videoReceiveBitsPerSecond),
        (.videoReceivePacketLossPercent, videoReceiveLossPercent),
      ]
    }
    return Dictionary(
      uniqueKeysWithValues: figures.compactMap { name, value in value.map { (name, $0) } })
  }
}
