internal import Bus
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Wire

/// The step that kills `video-tiles` while pictures arrive.
extension DemoScenario {
  /// The longest allowed gap between two pictures during the restart, on a busy machine.
  private static let longestGap: Duration = .seconds(5)

  /// The longest time on a busy machine until the service makes the same decisions as before the
  /// kill.
  private static let recovery: Duration = .seconds(30)

  /// Kills `video-tiles`. The restarted service must make the same decisions as before the kill.
  /// The server must not report the end of any video, and pictures must continue to arrive.
  func videoTilesKilled(
    _ cast: DemoVideoMeeting, _ installation: Installation
  ) async throws -> OutputRecord {
    guard let last = cast.watchers.last, let ended = cast.publishers.last else { return [:] }
    let live = cast.watchers[0]
    let before = try await settledDecisions(of: cast, for: last)
    let marks = cast.marks
    let start = ContinuousClock.now
    let killed = try await kill("video-tiles", of: installation)
    let limit = start + Self.recovery
    try await waitForDecisions(before, of: cast, until: limit)
    let right = (ContinuousClock.now - start).milliseconds
    // The removal of this camera follows every event that the restart could have caused.
    ended.endCamera()
    for (watcher, mark) in zip(cast.watchers, marks) where watcher !== ended {
      try await DemoVideoMeeting.hear(
        "\(ended.name)'s camera was removed", watcher, since: mark, until: limit
      ) { $0 == .unavailable(ended.attendeeID) }
    }
    let changed = (ContinuousClock.now - start).milliseconds
    try cast.requireNothing("a removed video", since: marks) { event in
      switch event {
      case .unavailable(let id), .tileRemoved(let id): id != ended.attendeeID
      case .available, .tileAdded, .joined, .ended, .status, .mayPublish, .cameraReleased,
        .shareStarted, .shareStopped:
        false
      }
    }
    return [
      "killed": JSONValue(killed), "decisions": JSONValue(before.count),
      "right_after_ms": JSONValue(right), "changed_after_ms": JSONValue(changed),
      "live_longest_gap_ms": JSONValue(try gap(of: live, seenBy: last, since: start)),
    ]
  }

  private func gap(
    of live: DemoVideoClient, seenBy watcher: DemoVideoClient, since start: ContinuousClock.Instant
  ) throws -> Int {
    let gap = watcher.tally.longestGap(of: live.attendeeID, since: start)
    guard gap <= Self.longestGap else {
      throw CommandFailure(
        code: "LATE", message: "No picture of \(live.name) came for \(gap.milliseconds) ms.")
    }
    return gap.milliseconds
  }

  private func waitForDecisions(
    _ before: Set<String>, of cast: DemoVideoMeeting, until limit: ContinuousClock.Instant
  ) async throws {
    var after: Set<String> = []
    while after != before {
      guard ContinuousClock.now < limit else {
        throw CommandFailure(
          code: "TILES_DIFFER",
          message: "\(before.subtracting(after).count) decisions are missing, such as "
            + "\(before.subtracting(after).min() ?? "none"), and "
            + "\(after.subtracting(before).count) are new, such as "
            + "\(after.subtracting(before).min() ?? "none").")
      }
      // A service that has just died does not answer, and nothing signals when the restarted
      // service answers again.
      if let found = try? await decisions(of: cast) { after = found }
      if after != before { try await Task.sleep(for: .milliseconds(50)) }
    }
  }

  /// Waits until the watcher receives every camera and `media` has reported that no content share
  /// sends pictures. Then returns all decisions.
  private func settledDecisions(
    of cast: DemoVideoMeeting, for watcher: DemoVideoClient
  ) async throws -> Set<String> {
    let limit = deadline(in: Self.recovery)
    let cameras = cast.cameraIDs
    while true {
      let rows = try await view(of: cast).rows
      let sent = rows.filter { $0.receiver?.forwarding.layer ?? 0 > 0 }
      let got = sent.filter { $0.receiver?.attendee.attendeeID == watcher.attendeeID }
      if Set(got.compactMap(\.source.attendee?.attendeeID)) == cameras, sent.count == got.count {
        return Set(rows.map(Self.decision))
      }
      guard ContinuousClock.now < limit else {
        throw CommandFailure(
          code: "TILES_DIFFER",
          message: "\(watcher.name) gets \(got.count) of \(cameras.count) cameras, "
            + "and other clients get \(sent.count - got.count) videos.")
      }
      try await Task.sleep(for: .milliseconds(50))  // Polls: nothing signals a new report.
    }
  }

  /// Returns all decisions about the meeting, each as a complete text.
  private func decisions(of cast: DemoVideoMeeting) async throws -> Set<String> {
    Set(try await view(of: cast).rows.map(Self.decision))
  }

  /// Returns the text of a decision, without measured values.
  ///
  /// The forwarded layer changes with the bandwidth estimate. So the text contains only whether the
  /// server sends a layer.
  private static func decision(_ row: TileDecisionRow) -> String {
    var record = row.record()
    record["downlink_bits_per_second"] = .null
    record["bits_per_second"] = .null
    if row.receiver?.forwarding.layer ?? 0 > 0 {
      record["layer"] = "sent"
      record["reason"] = .null
    }
    return record.json
  }

  /// Returns the meeting's decisions.
  private func view(of cast: DemoVideoMeeting) async throws -> TilesView {
    let update = try await OperatorConnection.with(gatewayIn: house.places) {
      try await $0.first(
        V1.OperatorMethods.watchTiles, V1.WatchTilesRequest(meetingID: cast.meetingID),
        within: Self.soon)
    }
    var view = TilesView(of: cast.meetingID)
    if let update { _ = view.apply(update) }
    return view
  }
}
