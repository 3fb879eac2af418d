import Bus
import MeetingModel
import Ownership
import Wire

// Sends reports to other services: levels to presence, links and tracks to video-tiles.
extension MediaService {
  /// Reports levels to presence.
  ///
  /// Called five times a second.
  func reportLevels() {
    for meeting in meetings.values { reportLevels(of: meeting) }
  }

  /// Reports links and tracks to video-tiles.
  ///
  /// Called ten times a second, so that a link that degrades is reported at once.
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
    owner.client.reportLevels(request, options: CallOptions(timeout: .seconds(1))) {
      [weak meeting] result in
      // Levels of a lost report are sent again, and so are all levels in a new term of presence.
      if case .failure = result { meeting?.forgetReportedLevels() }
    }
  }

  /// Reports metrics to clients.
  ///
  /// Called once a second.
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
      owner.client.reportTracks(request, options: options) { [weak meeting] result in
        // Tracks of a lost report are sent again, and so are all tracks in a new term of
        // video-tiles.
        if case .failure = result { meeting?.forgetReportedTracks() }
      }
    }
  }
}
