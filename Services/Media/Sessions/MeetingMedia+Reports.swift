import Bus
import MeetingModel
import RTP
import ServiceHost
import Wire

// What media measures, for presence, video-tiles, clients and operators.
extension MeetingMedia {
  /// Volumes and signal strengths that others than those last told.
  func takeLevels() -> [V1.AttendeeLevel] {
    sessions.compactMap { session in
      guard !session.participant.isContent, !session.rights.isReplica,
        let statistics = audio.statistics(of: ParticipantKey(session.key))
      else { return nil }
      var level = V1.AttendeeLevel(participantID: session.heardAs.text)
      if statistics.volume != session.told.volume {
        level.volume = V1.VolumeLevel(statistics.volume)
      }
      let signal = session.route == nil ? session.told.signal : session.signal.strength
      if let signal, signal != session.told.signal { level.signal = V1.SignalStrength(signal) }
      guard level.volume != .unspecified || level.signal != .unspecified else { return nil }
      session.told.volume = statistics.volume
      session.told.signal = signal
      return level
    }
  }

  /// Presence has forgotten what it was told.
  func forgetToldLevels() {
    for session in sessions { (session.told.volume, session.told.signal) = (nil, nil) }
  }

  /// What the links of receivers carry, where that is news.
  func takeDownlinks(at now: MediaTime) -> [V1.ReceiverDownlink] {
    var reports: [V1.ReceiverDownlink] = []
    video.takeDownlinkReports(at: now) { key, report in
      guard let session = session(key) else { return }
      session.estimate = report
      reports.append(
        V1.ReceiverDownlink(
          sessionID: session.id.bytes, bitsPerSecond: UInt32(clamping: report.bitsPerSecond),
          usedBitsPerSecond: UInt32(clamping: report.usedBitsPerSecond),
          backlogMs: UInt32(clamping: report.backlogMilliseconds)))
    }
    return reports
  }

  /// What publishers really send, where that is news.
  func takeTracks(at now: MediaTime) -> [V1.TrackState] {
    var tracks: [V1.TrackState] = []
    video.takeTrackReports(at: now) { tile, layer, state in
      tracks.append(
        V1.TrackState(
          tileID: tile, layer: UInt32(layer), isFlowing: state.isFlowing,
          bitsPerSecond: UInt32(clamping: state.bitsPerSecond),
          framesPerSecond: UInt32(clamping: state.framesPerSecond),
          width: UInt32(clamping: state.width), height: UInt32(clamping: state.height)))
    }
    return tracks
  }

  /// Video-tiles has forgotten what it was told.
  func forgetToldTracks() { video.forgetToldTracks() }

  /// Once a second: RTCP for the audio streams, and metrics for each client that is connected.
  func report(at now: MediaTime) {
    lastSecond = totals.since(lastTotals)
    lastTotals = totals
    for session in sessions {
      guard let route = session.route else { continue }
      sendReport(to: session, route, at: now)
      let metrics = takeMetrics(of: session, at: now)
      session.metrics = metrics
      stream.publishVolatile(onlyFor: [session.participant]) { tick in
        var metrics = metrics
        (metrics.epoch, metrics.tick) = (stream.epoch, tick)
        return V1.SessionEvent(event: .mediaMetrics(metrics))
      }
    }
  }

  private func sendReport(to session: MediaSession, _ route: Route, at now: MediaTime) {
    control.clear()
    session.streams.report(
      to: &control, sendSSRC: session.sendSSRC, at: now, time: video.wallTime(at: now))
    guard !control.isEmpty else { return }
    packets.send(copying: control.bytes.span, to: route)
    metrics.sent[.rtcp].increment()
  }

  private var totals: MeetingTotals {
    MeetingTotals(
      encodes: audio.counters.encodes, forwarded: Int(clamping: video.counters.forwarded),
      mixing: mixing)
  }

  /// How the last second went for one session, which begins a new one with it.
  private func takeMetrics(of session: MediaSession, at now: MediaTime) -> V1.MediaMetrics {
    let former = session.told
    session.told.droppedPackets = session.droppedPackets
    session.told.refusedPackets = session.refusedPackets
    let audio = takeAudioMetrics(of: session)
    let uplinkLoss = Double(audio?.lossPpm ?? 0) / 1_000_000
    session.signal.take(loss: max(uplinkLoss, session.streams.mixLoss ?? 0))
    return V1.MediaMetrics(
      audioSend: audio, videoSend: videoMetrics(of: session, at: now),
      availableReceiveBitsPerSecond: UInt32(clamping: session.estimate?.bitsPerSecond ?? 0),
      droppedPackets: UInt32(clamping: session.droppedPackets - former.droppedPackets))
  }

  private func takeAudioMetrics(of session: MediaSession) -> V1.UplinkMetrics? {
    guard let statistics = audio.statistics(of: ParticipantKey(session.key)),
      statistics.packets > 0
    else { return nil }
    let former = session.told.audio
    session.told.audio = statistics
    let (packets, lost) = (statistics.packets - former.packets, statistics.lost - former.lost)
    let expected = packets + lost
    return V1.UplinkMetrics(
      packets: UInt32(clamping: packets),
      lossPpm: expected > 0 ? UInt32(clamping: lost * 1_000_000 / expected) : 0,
      jitterUs: UInt32(clamping: statistics.jitterMicroseconds),
      bitsPerSecond: UInt32(clamping: session.streams.takeReceivedBytes() * 8),
      rttUs: UInt32(clamping: session.streams.roundTrip ?? 0))
  }

  private func videoMetrics(of session: MediaSession, at now: MediaTime) -> V1.UplinkMetrics? {
    guard let uplink = video.takeUplink(of: SessionKey(session.key), at: now) else { return nil }
    let expected = uplink.packets + uplink.lost
    return V1.UplinkMetrics(
      packets: UInt32(clamping: uplink.packets),
      lossPpm: expected > 0 ? UInt32(clamping: uplink.lost * 1_000_000 / expected) : 0,
      jitterUs: UInt32(clamping: uplink.jitterMicroseconds),
      bitsPerSecond: UInt32(clamping: uplink.bitsPerSecond),
      framesPerSecond: UInt32(clamping: uplink.framesPerSecond),
      rttUs: UInt32(clamping: session.streams.roundTrip ?? 0))
  }

  // MARK: Operators

  /// How the meeting's media goes.
  func statistics(from instance: String) -> V1.MediaStatistics {
    V1.MediaStatistics(
      meetingID: id.text, instance: instance, talkers: UInt32(clamping: audio.speakerCount),
      listeners: UInt32(clamping: sessions.count { $0.isListening && $0.route != nil }),
      encodes: UInt32(clamping: lastSecond.encodes), mixUs: UInt32(clamping: lastSecond.mixing),
      forwardedPackets: UInt32(clamping: lastSecond.forwarded),
      droppedPackets: UInt32(
        clamping: sessions.reduce(0) { $0 + Int($1.metrics?.droppedPackets ?? 0) }),
      participants: sessions.map { participant($0) })
  }

  private func participant(_ session: MediaSession) -> V1.ParticipantMedia {
    let audio = audio.statistics(of: ParticipantKey(session.key)) ?? AudioStatistics()
    return V1.ParticipantMedia(
      attendee: V1.AttendeeInfo(
        attendeeID: session.heardAs.text, externalUserID: session.externalUserID.text),
      isConnected: session.route != nil, isTalking: audio.isTalking,
      isVoiceFocusEnabled: session.isVoiceFocusEnabled,
      rights: V1.SendRights(
        capabilities: V1.Capabilities(session.rights.capabilities),
        isMuted: session.rights.isMuted, isMutedByOperator: session.rights.isMutedByOperator),
      metrics: session.metrics,
      jitterBufferMs: UInt32(clamping: audio.depthMicroseconds / 1_000),
      concealedPackets: UInt32(clamping: audio.concealed),
      refusedPackets: UInt32(clamping: session.refusedPackets))
  }
}
