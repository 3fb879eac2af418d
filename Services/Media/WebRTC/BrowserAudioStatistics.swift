import SRTP

/// The figures of the sound between a browser and `media`.
///
/// The counts start at the admission of the session. The counts of SRTP start at the handshake.
struct BrowserAudioStatistics: Hashable, Sendable {
  /// The sound of one direction.
  struct Stream: Hashable, Sendable {
    /// Packets that arrived at `media`, or that `media` sent.
    var packets = 0

    /// Packets that did not arrive in time.
    var lost = 0

    /// The interarrival jitter of RFC 3550, in microseconds; `nil` if unknown.
    var jitterUs: Int64?

    /// Returns the difference from an earlier count.
    ///
    /// After a reconnection, a browser counts from 0.
    fileprivate func since(_ former: Stream) -> Stream {
      Stream(
        packets: max(packets - former.packets, 0), lost: max(lost - former.lost, 0),
        jitterUs: jitterUs)
    }
  }

  /// The sound that the browser sends.
  var uplink = Stream()

  /// The mix, according to the browser's reports.
  var downlink = Stream()

  /// Concealed packets of the browser's sound.
  var concealed = 0

  /// The round trip that RTCP measured, in microseconds; `nil` if unknown.
  var roundTripUs: Int64?

  /// Packets that arrived twice, or too late for the replay window.
  var replays: UInt64 = 0

  /// Packets that are not protected with the browser's key.
  var forgeries: UInt64 = 0

  /// Returns the difference from earlier figures.
  func since(_ former: BrowserAudioStatistics) -> BrowserAudioStatistics {
    BrowserAudioStatistics(
      uplink: uplink.since(former.uplink), downlink: downlink.since(former.downlink),
      concealed: max(concealed - former.concealed, 0), roundTripUs: roundTripUs,
      replays: replays - min(former.replays, replays),
      forgeries: forgeries - min(former.forgeries, forgeries))
  }
}

extension BrowserAudioStatistics {
  /// - Parameters:
  ///   - audio: The statistics of the browser's sound.
  ///   - streams: The audio streams of the browser's session.
  ///   - refusals: The packets that SRTP refused.
  init(_ audio: AudioStatistics, _ streams: AudioStreams, _ refusals: SRTPRefusalCounts) {
    uplink = Stream(
      packets: audio.packets, lost: audio.lost,
      jitterUs: audio.packets > 0 ? audio.jitterUs : nil)
    downlink = Stream(
      packets: Int(streams.sentPackets), lost: streams.mixLost, jitterUs: streams.mixJitterUs)
    (concealed, roundTripUs) = (audio.concealed, streams.roundTrip)
    replays = refusals[.repeated] + refusals[.tooOld]
    forgeries = refusals[.forged]
  }
}

/// For one browser, the figures that `media` last reported to operators.
struct LastReportedBrowserStatistics: Hashable, Sendable {
  /// The figures that `media` has already added to the metrics.
  var figures = BrowserAudioStatistics()

  /// The candidate pair in the last log line; `nil` for none.
  var path: BrowserCandidatePair?

  /// The number of seconds since the last log line with the figures.
  var seconds = 0
}
