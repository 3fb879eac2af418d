import Bus
import MeetingModel
import Wire

extension MeetingEventStream {
  /// Publishes metrics to a participant. The metrics are valid until the service publishes the next
  /// metrics.
  func publish(_ metrics: ServerMeasuredMediaMetrics, to participant: ParticipantID) {
    publishVolatile(onlyFor: [participant]) { tick in
      var event = V1.MediaMetrics(metrics)
      (event.epoch, event.tick) = (epoch, tick)
      return V1.SessionEvent(event: .mediaMetrics(event))
    }
  }
}

extension V1.MediaMetrics {
  fileprivate init(_ metrics: ServerMeasuredMediaMetrics) {
    self.init(
      audioSend: metrics.audio.map { V1.UplinkMetrics($0) },
      videoSend: metrics.video.map { V1.UplinkMetrics($0) },
      availableReceiveBitsPerSecond: UInt32(clamping: metrics.downlinkBitsPerSecond ?? 0),
      droppedPackets: UInt32(clamping: metrics.counts.dropped),
      audioReceiveConcealedPackets: UInt32(clamping: metrics.counts.heardConcealed),
      sentLayers: metrics.sentLayers.map { V1.SentVideoLayer($0) })
  }
}

extension V1.SentVideoLayer {
  fileprivate init(_ layer: SentLayerRate) {
    self.init(
      tileID: layer.tile, layer: UInt32(clamping: layer.layer),
      bitsPerSecond: UInt32(clamping: layer.bitsPerSecond))
  }
}

extension V1.UplinkMetrics {
  fileprivate init(_ uplink: UplinkReceptionMetrics) {
    self.init(
      packets: UInt32(clamping: uplink.packets), lossPpm: UInt32(clamping: uplink.lossPPM),
      jitterUs: UInt32(clamping: uplink.jitterUs),
      bitsPerSecond: UInt32(clamping: uplink.bitsPerSecond),
      framesPerSecond: UInt32(clamping: uplink.framesPerSecond),
      rttUs: UInt32(clamping: uplink.roundTripUs ?? 0))
  }
}

extension V1.MediaStatistics {
  /// Encodes the statistics for reports to operators.
  init(_ statistics: MeetingStatistics, from instance: String) {
    self.init(
      meetingID: statistics.meeting.text, instance: instance,
      talkers: UInt32(clamping: statistics.talkers),
      listeners: UInt32(clamping: statistics.listeners),
      encodes: UInt32(clamping: statistics.totals.encodes),
      mixUs: UInt32(clamping: statistics.totals.mixing),
      forwardedPackets: UInt32(clamping: statistics.totals.forwarded),
      droppedPackets: UInt32(clamping: statistics.droppedPackets),
      participants: statistics.participants.map { V1.ParticipantMedia($0) })
  }
}

extension V1.ParticipantMedia {
  fileprivate init(_ participant: ParticipantStatistics) {
    let audio = participant.audio
    let counts = participant.metrics?.counts ?? SessionMediaCounts()
    self.init(
      attendee: V1.AttendeeInfo(participant.speaker), isConnected: participant.isConnected,
      isTalking: audio.isTalking, isVoiceFocusEnabled: participant.isVoiceFocusEnabled,
      rights: V1.SendRights(participant.rights),
      metrics: participant.metrics.map { V1.MediaMetrics($0) },
      jitterBufferMs: UInt32(clamping: audio.depthUs / 1_000),
      concealedPackets: UInt32(clamping: counts.concealed),
      refusedPackets: UInt32(clamping: counts.refused),
      retransmittedPackets: UInt32(clamping: counts.retransmitted),
      keyFrameRequests: UInt32(clamping: counts.keyFrameRequests))
  }
}
