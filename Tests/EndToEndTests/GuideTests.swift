import AdaptiveTrials
import CarillonClient
import Foundation
import TestSupport
import Testing
import Trials
import Wire

@testable import GuidePrograms

extension EndToEnd {
  /// Tests of the sessions that the guides' programs start, with real media.
  struct GuideTests {
    /// A value of a guide's program that belongs to the main queue.
    private typealias OnMain = MainQueueBox

    @Test func `the second process of the program content_share shares content`() async throws {
      try await withMeeting { meeting in
        let bea = try await MediaParticipant("bea", in: meeting)
        try await bea.join()
        bea.audioVideo.startRemoteVideo()
        var attendee = try await meeting.installation.createAttendee("ada", in: meeting.record)
        attendee.meetingID = meeting.record.meetingID
        let configuration = MeetingSessionConfiguration(
          attendee, through: meeting.installation.gateway.clientURL, signalingURL: "ws://localhost")
        let screen = TestPatternSource(width: 640, height: 360)
        screen.start()
        defer { screen.stop() }
        try await withTemporaryDirectory { directory in
          let path = "\(directory)/meeting.json"
          let changes = AwaitableEntryList<String>()
          let upload = try await MainActor.run {
            let logger = ConsoleLogger(name: "ada", level: .OFF)
            try StoredMeeting.store(
              DefaultMeetingSession(configuration: configuration, logger: logger), at: path)
            return OnMain(
              value: try BroadcastUpload(
                storedAt: path, source: screen, logger: logger, onChange: { changes.append($0) }))
          }
          await MainActor.run { upload.value.broadcastStarted() }
          try await changes.wait(for: "the share") { $0 == ["started"] }
          let tile = try #require(try await bea.tiles(1).first)
          try await bea.sees(10, of: tile)
          await MainActor.run { upload.value.broadcastFinished() }
          try await changes.wait(for: "its end") { $0 == ["started", "stopped ok"] }
        }
        try await bea.leave()
      }
    }

    @Test func `the guide's program for subscriptions gets pictures and metrics`() async throws {
      try await withMeeting { meeting in
        let ada = try await MediaParticipant("ada", in: meeting)
        try await ada.join()
        let camera = TestPatternSource(width: 320, height: 180)
        camera.start()
        defer { camera.stop() }
        ada.audioVideo.startLocalVideo(source: camera)
        var attendee = try await meeting.installation.createAttendee("bea", in: meeting.record)
        attendee.meetingID = meeting.record.meetingID
        let session = DefaultMeetingSession(
          configuration: MeetingSessionConfiguration(
            attendee, through: meeting.installation.gateway.clientURL,
            signalingURL: "ws://localhost"), logger: ConsoleLogger(name: "bea", level: .OFF))
        let metrics = MetricsJournal()
        session.audioVideo.addMetricsObserver(observer: metrics)
        let (pinned, shown) = await MainActor.run {
          (
            OnMain(value: PinnedTile(audioVideoFacade: session.audioVideo)),
            OnMain(value: ShareVideo(meetingSession: session))
          )
        }
        try session.audioVideo.start()
        try await eventually("ada's pictures") {
          await MainActor.run { shown.value.views.values.contains { $0.frameCount >= 10 } }
        }
        await MainActor.run { pinned.value.pinTile(attendeeId: ada.attendeeID) }
        let before = await MainActor.run { shown.value.views.values.map(\.frameCount).max() ?? 0 }
        try await eventually("more of them") {
          await MainActor.run {
            shown.value.views.values.contains { $0.frameCount >= before + 10 }
          }
        }
        try await metrics.received.wait(for: "the received bitrate") {
          $0.contains { ($0[.videoReceiveBitrate] ?? 0) > 0 }
        }
        session.audioVideo.stop()
        try await ada.leave()
      }
    }
  }
}

private final class MetricsJournal: MetricsObserver {
  let received = AwaitableEntryList<[ObservableMetric: Double]>()

  func metricsDidReceive(metrics: [AnyHashable: Any]) {
    if let figures = metrics as? [ObservableMetric: Double] { received.append(figures) }
  }
}
