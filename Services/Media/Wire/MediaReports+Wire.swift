import MeetingModel
import Wire

extension V1.ReportLevelsRequest {
  /// Encodes the measured levels of a meeting's participants for `presence`.
  init(_ levels: [LevelReport], of meeting: MeetingID) {
    self.init(meetingID: meeting.text, levels: levels.map { V1.AttendeeLevel($0) })
  }
}

extension V1.AttendeeLevel {
  fileprivate init(_ report: LevelReport) {
    self.init(
      participantID: report.participant.text,
      volume: report.volume.map { V1.VolumeLevel($0) } ?? .unspecified,
      signal: report.signal.map { V1.SignalStrength($0) } ?? .unspecified)
  }
}

extension V1.ReportDownlinkRequest {
  /// Encodes the downlink reports of a meeting's receivers for `video-tiles`.
  init(_ reports: [SessionDownlinkReport], of meeting: MeetingID) {
    self.init(meetingID: meeting.text, receivers: reports.map { V1.ReceiverDownlink($0) })
  }
}

extension V1.ReceiverDownlink {
  fileprivate init(_ report: SessionDownlinkReport) {
    self.init(
      sessionID: report.session.bytes,
      bitsPerSecond: UInt32(clamping: report.downlink.bitsPerSecond),
      usedBitsPerSecond: UInt32(clamping: report.downlink.usedBitsPerSecond),
      backlogMs: UInt32(clamping: report.downlink.backlogMs),
      starvedTileIDs: report.downlink.starvedTiles, stalledTileIDs: report.downlink.stalledTiles)
  }
}

extension V1.ReportTracksRequest {
  /// Encodes the states of a meeting's video layers for `video-tiles`.
  init(_ reports: [PublishedLayerReport], of meeting: MeetingID) {
    self.init(meetingID: meeting.text, tracks: reports.map { V1.TrackState($0) })
  }
}

extension V1.TrackState {
  fileprivate init(_ report: PublishedLayerReport) {
    let state = report.state
    self.init(
      tileID: report.tile, layer: UInt32(clamping: report.layer), isFlowing: state.isFlowing,
      bitsPerSecond: UInt32(clamping: state.bitsPerSecond),
      framesPerSecond: UInt32(clamping: state.framesPerSecond),
      width: UInt32(clamping: state.width), height: UInt32(clamping: state.height),
      temporalLayers: UInt32(clamping: state.temporalLayers))
  }
}
