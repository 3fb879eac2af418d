import MeetingModel
import RTP
import ServiceHost

// What media measures, for presence, video-tiles, clients and operators.
extension MeetingMedia {
  /// Volumes and signal strengths that others than those last told.
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

  /// Presence has forgotten what it was told.
  func forgetReportedLevels() {
    for session in sessions { (session.told.volume, session.told.signal) = (nil, nil) }
  }

  /// What the links of receivers carry, where that is news.
  func takeDownlinks(at now: MediaTime) -> [ReceiverReport] {
    var reports: [ReceiverReport] = []
    video.takeDownlinkReports(at: now) { key, report in
      guard let session = session(key) else { return }
      session.estimate = report
      reports.append(ReceiverReport(session: session.id, downlink: report))
    }
    return reports
  }

  /// What publishers really send, where that is news.
  func takeTracks(at now: MediaTime) -> [LayerReport] {
    var reports: [LayerReport] = []
    video.takeTrackReports(at: now) { tile, layer, state in
      reports.append(LayerReport(tile: tile, layer: layer, state: state))
    }
    return reports
  }

  /// Video-tiles has forgotten what it was told.
  func forgetReportedTracks() { video.forgetReportedTracks() }

  /// Once a second: RTCP for the audio streams, and metrics for each client that is connected.
  ///
  /// - Parameter tell: Gets the metrics of each of these clients.
  func report(at now: MediaTime, tell: (ParticipantID, SessionMetrics) -> Void) {
    lastSecond = totals.since(lastTotals)
    lastTotals = totals
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

  /// A session is not connected: what is counted until it is belongs to no second.
  private func rest(_ session: MediaSession) {
    session.metrics = nil
    session.told.counts = counts(of: session)
  }

  private func sendReport(to session: MediaSession, _ link: any PacketLink, at now: MediaTime) {
    control.clear()
    session.streams.report(
      to: &control, sendSSRC: session.sendSSRC, at: now, time: video.wallTime(at: now))
    guard !control.isEmpty else { return }
    link.send(control.bytes.span)
    metrics.sent[.rtcp].increment()
  }

  private var totals: MeetingTotals {
    MeetingTotals(
      encodes: audio.counters.encodes, forwarded: Int(clamping: video.counters.forwarded),
      mixing: mixing)
  }

  /// How the last second went for one session, which begins a new one with it.
  private func takeMetrics(of session: MediaSession, at now: MediaTime) -> SessionMetrics {
    let former = session.told.counts
    session.told.counts = counts(of: session)
    countDrops(of: session)
    let audio = takeAudioMetrics(of: session)
    let uplinkLoss = Double(audio?.lossPPM ?? 0) / 1_000_000
    session.signal.take(loss: max(uplinkLoss, session.streams.mixLoss ?? 0))
    return SessionMetrics(
      audio: audio, video: videoMetrics(of: session, at: now),
      downlinkBitsPerSecond: session.estimate?.bitsPerSecond,
      counts: session.told.counts.since(former))
  }

  /// What was counted of a session since it was admitted.
  private func counts(of session: MediaSession) -> SessionCounts {
    let audio = audio.statistics(of: session.key)
    let video = video.counts(of: session.key)
    return SessionCounts(
      dropped: session.droppedPackets, refused: session.refusedPackets,
      concealed: audio?.concealed ?? 0, heardConcealed: audio?.heardConcealed ?? 0,
      retransmitted: video.retransmitted, keyFrameRequests: video.keyFrameRequests)
  }

  private func takeAudioMetrics(of session: MediaSession) -> UplinkMetrics? {
    guard let statistics = audio.statistics(of: session.key),
      statistics.packets > 0
    else { return nil }
    let former = session.told.audio
    session.told.audio = statistics
    var uplink = UplinkMetrics(
      packets: statistics.packets - former.packets, lost: statistics.lost - former.lost)
    uplink.jitterUs = statistics.jitterUs
    uplink.bitsPerSecond = session.streams.takeReceivedBytes() * 8
    uplink.roundTripUs = session.streams.roundTrip
    return uplink
  }

  private func videoMetrics(of session: MediaSession, at now: MediaTime) -> UplinkMetrics? {
    guard let video = video.takeUplink(of: session.key, at: now) else { return nil }
    var uplink = UplinkMetrics(packets: video.packets, lost: video.lost)
    uplink.jitterUs = video.jitterUs
    uplink.bitsPerSecond = video.bitsPerSecond
    uplink.framesPerSecond = video.framesPerSecond
    uplink.roundTripUs = session.streams.roundTrip
    return uplink
  }

  // MARK: Operators

  /// How the meeting's media goes.
  var statistics: MeetingStatistics {
    MeetingStatistics(
      meeting: id, talkers: audio.speakerCount,
      listeners: sessions.count { $0.isListening && $0.isConnected }, totals: lastSecond,
      droppedPackets: sessions.reduce(0) { $0 + ($1.metrics?.counts.dropped ?? 0) },
      participants: sessions.map { statistics(of: $0) })
  }

  private func statistics(of session: MediaSession) -> ParticipantStatistics {
    ParticipantStatistics(
      speaker: session.speaker, isConnected: session.isConnected,
      isVoiceFocusEnabled: session.isVoiceFocusEnabled, rights: session.rights,
      metrics: session.isConnected ? session.metrics : nil,
      audio: audio.statistics(of: session.key) ?? AudioStatistics())
  }
}
