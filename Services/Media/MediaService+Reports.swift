import Bus
import MeetingModel
import Ownership
import Wire

// Sends reports to other services: levels to `presence`, and links and tracks to `video-tiles`.
extension MediaService {
  /// Reports levels to `presence`.
  ///
  /// The service calls this five times a second.
  func reportLevels() {
    for meeting in meetings.values { reportLevels(of: meeting) }
  }

  /// Reports links and tracks to `video-tiles`.
  ///
  /// The service calls this ten times a second, so that `video-tiles` learns of a degraded link
  /// without delay.
  func reportVideo() {
    for meeting in meetings.values { reportVideo(of: meeting) }
  }

  private func reportLevels(of meeting: MeetingMedia) {
    guard let owner = presence.owner(of: meeting.id) else { return }
    if meeting.levelsOwner != owner.instance { meeting.forgetReportedLevels() }
    meeting.levelsOwner = owner.instance
    let levels = meeting.takeLevels()
    guard !levels.isEmpty else { return }
    let request = V1.ReportLevelsRequest(levels, of: meeting.id)
    owner.client.reportLevels(request, options: CallOptions(timeout: .seconds(1))) { result in
      // After a failed report, the next report contains all levels. The first report to another
      // instance of `presence` also contains all levels.
      if case .failure = result { meeting.forgetReportedLevels() }
    }
  }

  /// Reports metrics to clients.
  ///
  /// The service calls this once a second.
  func report() {
    let time = mediaTime
    for meeting in meetings.values {
      let stream = owner.streams.existing(meeting.id)
      meeting.report(at: time) { stream?.publish($1, to: $0) }
    }
  }

  private func reportVideo(of meeting: MeetingMedia) {
    guard let owner = tiles.owner(of: meeting.id) else { return }
    if meeting.tracksOwner != owner.instance { meeting.forgetReportedTracks() }
    meeting.tracksOwner = owner.instance
    let time = mediaTime
    let (downlinks, tracks) = (meeting.takeDownlinks(at: time), meeting.takeTracks(at: time))
    let options = CallOptions(timeout: .seconds(1))
    if !downlinks.isEmpty {
      let request = V1.ReportDownlinkRequest(downlinks, of: meeting.id)
      owner.client.reportDownlink(request, options: options) { _ in }
    }
    if !tracks.isEmpty {
      let request = V1.ReportTracksRequest(tracks, of: meeting.id)
      owner.client.reportTracks(request, options: options) { result in
        // After a failed report, the next report contains all tracks. The first report to another
        // instance of `video-tiles` also contains all tracks.
        if case .failure = result { meeting.forgetReportedTracks() }
      }
    }
  }
}
