import MeetingModel
import RTP
import ServiceHost

// Reports measurements to `presence`, `video-tiles`, clients and operators.
extension MeetingMedia {
  /// Returns the volumes and signal strengths that changed since the last report.
  func takeLevels() -> [LevelReport] {
    sessions.compactMap { session in
      guard !session.participant.isContent, !session.rights.isReplica,
        let statistics = audio.statistics(of: session.key)
      else { return nil }
      var report = LevelReport(participant: session.heardAs)
      if statistics.volume != session.told.volume { report.volume = statistics.volume }
      let signal = session.isConnected ? session.signal.strength : session.told.signal
      if signal != session.told.signal { report.signal = signal }
      guard report.volume != nil || report.signal != nil else { return nil }
      session.told.volume = statistics.volume
      session.told.signal = signal
      return report
    }
  }

  /// Forgets the reported levels, because `presence` has lost them. The next report contains all
  /// levels.
  func forgetReportedLevels() {
    for session in sessions { (session.told.volume, session.told.signal) = (nil, nil) }
  }

  /// Returns the downlink reports of the receivers whose state has changed.
  func takeDownlinks(at now: MonotonicTime) -> [SessionDownlinkReport] {
    var reports: [SessionDownlinkReport] = []
    video.takeDownlinkReports(at: now) { key, report in
      guard let session = session(key) else { return }
      session.estimate = report
      reports.append(SessionDownlinkReport(session: session.id, downlink: report))
    }
    return reports
  }

  /// Returns the reports of the published layers whose state has changed.
  func takeTracks(at now: MonotonicTime) -> [PublishedLayerReport] {
    var reports: [PublishedLayerReport] = []
    video.takeTrackReports(at: now) { tile, layer, state in
      reports.append(PublishedLayerReport(tile: tile, layer: layer, state: state))
    }
    return reports
  }

  /// Forgets the reported tracks, because `video-tiles` has lost them. The next report contains all
  /// tracks.
  func forgetReportedTracks() { video.forgetReportedTracks() }

  /// Sends RTCP for the audio streams, and reports the metrics of each connected client.
  ///
  /// The service calls this once a second.
  ///
  /// - Parameter tell: Receives the metrics of each connected client.
  func report(at now: MonotonicTime, tell: (ParticipantID, ServerMeasuredMediaMetrics) -> Void) {
    lastSecond = totals.since(lastTotals)
    lastTotals = totals
    countVideo()
    for session in sessions {
      guard let link = session.link else {
        rest(session)
        continue
      }
      sendReport(to: session, link, at: now)
      let metrics = takeMetrics(of: session, at: now)
      session.metrics = metrics
      tell(session.participant, metrics)
    }
  }

  /// Marks the counts of a session without a connection as reported, so that the first report after
  /// a reconnection contains only new counts.
  private func rest(_ session: MediaServerSession) {
    session.metrics = nil
    session.told.counts = counts(of: session)
  }

  private func sendReport(
    to session: MediaServerSession, _ link: any PacketLink, at now: MonotonicTime
  ) {
    control.clear()
    session.streams.report(
      to: &control, sendSSRC: session.sendSSRC, at: now, time: video.wallTime(at: now))
    guard !control.isEmpty else { return }
    link.send(control.bytes.span)
    metrics.sent[.rtcp].increment()
  }

  private var totals: MeetingMediaTotals {
    MeetingMediaTotals(
      encodes: audio.counters.encodes, forwarded: Int(clamping: video.counters.forwarded),
      mixing: mixing)
  }

  /// Returns the metrics of one session for the last second, and starts the next second.
  private func takeMetrics(of session: MediaServerSession, at now: MonotonicTime)
    -> ServerMeasuredMediaMetrics
  {
    let former = session.told.counts
    session.told.counts = counts(of: session)
    countDrops(of: session)
    let audio = takeAudioMetrics(of: session)
    let uplinkLoss = Double(audio?.lossPPM ?? 0) / 1_000_000
    session.signal.take(loss: max(uplinkLoss, session.streams.mixLoss ?? 0))
    return ServerMeasuredMediaMetrics(
      audio: audio, video: videoMetrics(of: session, at: now),
      sentLayers: video.sentLayers(of: session.key, at: now),
      downlinkBitsPerSecond: session.estimate?.bitsPerSecond,
      counts: session.told.counts.since(former))
  }

  /// Returns the counts of a session since its admission.
  private func counts(of session: MediaServerSession) -> SessionMediaCounts {
    let audio = audio.statistics(of: session.key)
    let video = video.counts(of: session.key)
    return SessionMediaCounts(
      dropped: session.droppedPackets, refused: session.refusedPackets,
      concealed: audio?.concealed ?? 0, heardConcealed: audio?.heardConcealed ?? 0,
      retransmitted: video.retransmitted, keyFrameRequests: video.keyFrameRequests)
  }

  private func takeAudioMetrics(of session: MediaServerSession) -> UplinkReceptionMetrics? {
    guard let statistics = audio.statistics(of: session.key),
      statistics.packets > 0
    else { return nil }
    let former = session.told.audio
    session.told.audio = statistics
    var uplink = UplinkReceptionMetrics(
      packets: statistics.packets - former.packets, lost: statistics.lost - former.lost)
    uplink.jitterUs = statistics.jitterUs
    uplink.bitsPerSecond = session.streams.takeReceivedBytes() * 8
    uplink.roundTripUs = session.streams.roundTrip
    return uplink
  }

  private func videoMetrics(of session: MediaServerSession, at now: MonotonicTime)
    -> UplinkReceptionMetrics?
  {
    guard let video = video.takeUplink(of: session.key, at: now) else { return nil }
    var uplink = UplinkReceptionMetrics(packets: video.packets, lost: video.lost)
    uplink.jitterUs = video.jitterUs
    uplink.bitsPerSecond = video.bitsPerSecond
    uplink.framesPerSecond = video.framesPerSecond
    uplink.roundTripUs = session.streams.roundTrip
    return uplink
  }

  // MARK: Operators

  /// The statistics of the meeting's media for the last second.
  var statistics: MeetingStatistics {
    MeetingStatistics(
      meeting: id, talkers: audio.speakerCount,
      listeners: sessions.count { $0.isListening && $0.isConnected }, totals: lastSecond,
      droppedPackets: sessions.reduce(0) { $0 + ($1.metrics?.counts.dropped ?? 0) },
      participants: sessions.map { statistics(of: $0) })
  }

  private func statistics(of session: MediaServerSession) -> ParticipantStatistics {
    ParticipantStatistics(
      speaker: session.speaker, isConnected: session.isConnected,
      isVoiceFocusEnabled: session.isVoiceFocusEnabled, rights: session.rights,
      metrics: session.isConnected ? session.metrics : nil,
      audio: audio.statistics(of: session.key) ?? AudioStatistics())
  }
}
