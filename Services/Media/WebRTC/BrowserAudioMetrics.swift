import RTP
import ServiceHost

/// The metrics of all browsers together. The log contains the figures of each browser.
struct BrowserAudioMetrics: Sendable {
  let packets: MetricFamily<Counter, SoundDirection>
  let lost: MetricFamily<Counter, SoundDirection>
  let jitter: MetricFamily<Histogram, SoundDirection>
  let roundTrip: Histogram
  let concealed: DurationCounter
  let replays: Counter
  let forgeries: Counter

  init(in registry: MetricsRegistry) {
    packets = registry.counters(
      "carillon_media_browser_audio_packets_total",
      help: "Audio packets that media received from browsers or sent to them.",
      by: SoundDirection.self)
    lost = registry.counters(
      "carillon_media_browser_audio_lost_packets_total",
      help: "Audio packets that were lost on the way from or to browsers.",
      by: SoundDirection.self)
    jitter = registry.histograms(
      "carillon_media_browser_audio_jitter_seconds",
      help: "Interarrival jitter of browsers' audio, once per second for each browser.",
      by: SoundDirection.self)
    roundTrip = registry.histogram(
      "carillon_media_browser_round_trip_seconds",
      help: "Round-trip time to browsers from RTCP, once per second for each browser.")
    concealed = registry.durationCounter(
      "carillon_media_browser_concealed_seconds_total",
      help: "Seconds of browsers' audio that media concealed because packets were missing.")
    replays = registry.counter(
      "carillon_media_srtp_replays_total",
      help: "Packets of browsers that are replayed, or older than the replay window.")
    forgeries = registry.counter(
      "carillon_media_srtp_forgeries_total",
      help: "Packets from browsers' addresses that fail SRTP authentication.")
  }

  /// Adds the new figures of one browser to the metrics.
  func count(_ new: BrowserAudioStatistics) {
    count(new.uplink, .uplink)
    count(new.downlink, .downlink)
    if let trip = new.roundTripUs { roundTrip.observe(.microseconds(trip)) }
    concealed.increment(by: MediaRules.audioPacket * new.concealed)
    replays.increment(by: new.replays)
    forgeries.increment(by: new.forgeries)
  }

  private func count(_ stream: BrowserAudioStatistics.Stream, _ direction: SoundDirection) {
    packets[direction].increment(by: UInt64(stream.packets))
    lost[direction].increment(by: UInt64(stream.lost))
    guard stream.packets > 0, let jitter = stream.jitterUs else { return }
    self.jitter[direction].observe(.microseconds(jitter))
  }
}

/// The direction of sound, as a label of a metric.
enum SoundDirection: String, MetricLabel {
  static let labelName = "direction"

  /// From a browser to `media`.
  case uplink
  /// From `media` to a browser.
  case downlink
}
