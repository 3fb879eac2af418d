import SRTP

/// How sound goes between a browser and media. Counts are since the session was admitted, those of
/// SRTP since its handshake.
struct BrowserFigures: Hashable, Sendable {
  /// The sound of one direction.
  struct Stream: Hashable, Sendable {
    /// Packets that arrived in media, or that media sent.
    var packets = 0

    /// Packets that did not arrive in time.
    var lost = 0

    /// The interarrival jitter of RFC 3550, in microseconds; `nil`: not known.
    var jitterUs: Int64?

    /// The difference from an earlier count. A browser that connects again counts from 0.
    fileprivate func since(_ former: Stream) -> Stream {
      Stream(
        packets: max(packets - former.packets, 0), lost: max(lost - former.lost, 0),
        jitterUs: jitterUs)
    }
  }

  /// What the browser sends.
  var uplink = Stream()

  /// The mix, as the browser reports it.
  var downlink = Stream()

  /// Packets of the browser's sound that were concealed.
  var concealed = 0

  /// The round trip by RTCP, in microseconds; `nil`: not known.
  var roundTripUs: Int64?

  /// Packets that came twice, or too late to tell.
  var replays: UInt64 = 0

  /// Packets that were not made with the browser's key.
  var forgeries: UInt64 = 0

  /// The difference from earlier figures.
  func since(_ former: BrowserFigures) -> BrowserFigures {
    BrowserFigures(
      uplink: uplink.since(former.uplink), downlink: downlink.since(former.downlink),
      concealed: max(concealed - former.concealed, 0), roundTripUs: roundTripUs,
      replays: replays - min(former.replays, replays),
      forgeries: forgeries - min(former.forgeries, forgeries))
  }
}

extension BrowserFigures {
  /// - Parameters:
  ///   - audio: How the browser's sound is played out.
  ///   - streams: What it sends and gets.
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

/// What operators were told of one browser.
struct ToldBrowser: Hashable, Sendable {
  /// The figures that the metrics have.
  var figures = BrowserFigures()

  /// The candidate pair that was logged; `nil`: none.
  var path: BrowserPath?

  /// Seconds since the figures were logged.
  var seconds = 0
}
