internal import Bus
internal import Wire

/// The steps about video, in a meeting of their own.
extension DemoScenario {
  /// Plays them.
  func video() async {
    let cast = try? await report.require("cameras-full") {
      let cast = try await fillWithCameras()
      return (cast, ["cameras": JSONValue(cast.publishers.count)])
    }
    guard let cast else {
      for step in ["camera-beyond-limit", "share-beyond-limit", "video-tiles-killed"] {
        report.skip(step, because: "the meeting has not its cameras")
      }
      return
    }
    await report.check("camera-beyond-limit") { try await cameraBeyondLimit(cast) }
    await report.check("share-beyond-limit") { try await shareBeyondLimit(cast) }
    if let installation = house.installation {
      await report.check("video-tiles-killed") { try await videoTilesKilled(cast, installation) }
    } else {
      report.skip("video-tiles-killed", because: "the services are not the demo's own")
    }
    for watcher in cast.watchers { watcher.stop() }
    try? await control.deleteMeeting(cast.meetingID)
  }

  private func deadline(in limit: Duration = soon) -> ContinuousClock.Instant { .now + limit }

  /// What the installation allows; without an operator's endpoint, what is usual.
  private func limits() async throws -> (cameras: Int, shares: Int) {
    guard house.hasOperator else { return (25, 2) }
    let limits = try await OperatorConnection.with(gatewayIn: house.places) {
      try await $0.call(V1.OperatorMethods.getLimits, V1.GetLimitsRequest())
    }
    return (Int(limits.maxCameras), Int(limits.maxContentShares))
  }

  /// As many clients as may send a camera do, and at least one more is there; all see all of them.
  private func fillWithCameras() async throws -> VideoCast {
    let meeting = try await control.createMeeting(externalMeetingID: "carillon-demo-video")
    var watchers: [VideoWatcher] = []
    let limits = try await limits()
    for number in 0...max(limits.cameras, limits.shares) {
      watchers.append(VideoWatcher(try await createAttendee("v\(number + 1)", in: meeting)))
    }
    let cast = VideoCast(
      meetingID: meeting.id, cameras: limits.cameras, watchers: watchers)
    for watcher in watchers { try watcher.start() }
    try await cast.hear("it is in the meeting", until: deadline(in: .seconds(10))) {
      $1 == .joined
    }
    for watcher in cast.publishers { watcher.sendCamera() }
    try await hearEverybody(cast, until: deadline(in: .seconds(10)))
    return cast
  }

  /// Waits until each client knows of all cameras but its own.
  private func hearEverybody(
    _ cast: VideoCast, until deadline: ContinuousClock.Instant
  ) async throws {
    let everybody = Set(cast.publishers.map(\.attendeeID))
    try await cast.hear("all \(everybody.count) cameras are there", until: deadline) {
      watcher, _ in watcher.journal.sources == everybody.subtracting([watcher.attendeeID])
    }
  }

  /// The last client hears that it may only watch, tries all the same, and watches all the others.
  private func cameraBeyondLimit(_ cast: VideoCast) async throws -> Record {
    guard let last = cast.watchers.last else { return [:] }
    let viewOnly = 206
    try await VideoCast.hear("it may only watch", last, until: deadline()) {
      $0 == .status(viewOnly)
    }
    let marks = cast.marks
    last.sendCamera()
    try await VideoCast.hear("its camera is not taken", last, until: deadline()) {
      $0 == .cameraReleased
    }
    last.watch()
    let watched = try await watchedTiles(by: last, in: cast)
    try cast.requireNothing("another camera", since: marks) {
      if case .available = $0 { true } else { false }
    }
    return [
      "session_status": JSONValue(viewOnly), "refused": true,
      "watched": watched.map { JSONValue($0) } ?? .null,
    ]
  }

  /// Waits until a client would get every camera of the others. None sends a picture: what is decided is
  /// that it gets them as soon as they do.
  ///
  /// - Returns: How many it gets; `nil` where no operator's endpoint tells.
  private func watchedTiles(by watcher: VideoWatcher, in cast: VideoCast) async throws -> Int? {
    guard house.hasOperator else { return nil }
    let (wanted, limit) = (cast.publishers.count, deadline())
    while true {
      let got = try await view(of: cast).rows.count { row in
        guard let receiver = row.receiver else { return false }
        return receiver.attendee.attendeeID == watcher.attendeeID
          && (receiver.forwarding.layer > 0 || receiver.forwarding.reason == .notFlowing)
      }
      if got == wanted { return got }
      guard ContinuousClock.now < limit else {
        throw CommandFailure(
          code: "NOT_FOUND", message: "\(watcher.name) gets \(got) of \(wanted) cameras.")
      }
      try await Task.sleep(for: .milliseconds(50))  // Decisions come when they do.
    }
  }

  /// As many content shares as may be begin; the next one is refused.
  private func shareBeyondLimit(_ cast: VideoCast) async throws -> Record {
    let shares = try await limits().shares
    for watcher in cast.watchers.prefix(shares) {
      watcher.share()
      try await VideoCast.hear("its share has started", watcher, until: deadline()) {
        $0 == .shareStarted
      }
      for other in cast.watchers where other.attendeeID != watcher.attendeeID {
        try await VideoCast.hear("\(watcher.name) shares", other, until: deadline()) {
          $0 == .available("\(watcher.attendeeID)#content")
        }
      }
    }
    let marks = cast.marks
    let refused = cast.watchers[shares]
    refused.share()
    try await VideoCast.hear(
      "its share is refused", refused, since: marks[shares], until: deadline()
    ) { if case .shareStopped(let status) = $0 { status != 0 } else { false } }
    try cast.requireNothing("another share", since: marks) { event in
      switch event {
      case .shareStarted, .available: true
      case .shareStopped, .unavailable, .joined, .ended, .status, .mayPublish, .cameraReleased:
        false
      }
    }
    return ["shares": JSONValue(shares), "refused": .text(refused.name)]
  }

  /// The owner of the board dies; within three seconds it decides as before, and nobody heard of any
  /// video that went.
  private func videoTilesKilled(
    _ cast: VideoCast, _ installation: Installation
  ) async throws -> Record {
    let before = try await settledDecisions(of: cast)
    let marks = cast.marks
    let start = ContinuousClock.now
    let killed = try await kill("video-tiles", of: installation)
    let limit = start + Self.soon
    var after: Set<String> = []
    while after != before {
      guard ContinuousClock.now < limit else {
        throw CommandFailure(
          code: "TILES_DIFFER",
          message: "\(before.subtracting(after).count) decisions are missing, such as "
            + "\(before.subtracting(after).min() ?? "none"), and "
            + "\(after.subtracting(before).count) are others, such as "
            + "\(after.subtracting(before).min() ?? "none").")
      }
      // A service that has just died is not there to ask; how it comes back tells nobody.
      if let found = try? await decisions(of: cast) { after = found }
      if after != before { try await Task.sleep(for: .milliseconds(50)) }
    }
    let right = (ContinuousClock.now - start).milliseconds
    // What changes now comes behind whatever the restart could have told.
    let first = cast.watchers[0]
    first.endCamera()
    for (watcher, mark) in zip(cast.watchers, marks).dropFirst() {
      try await VideoCast.hear(
        "\(first.name)'s camera is gone", watcher, since: mark, until: limit
      ) { $0 == .unavailable(first.attendeeID) }
    }
    try cast.requireNothing("video that went", since: marks) { event in
      if case .unavailable(let id) = event { id != first.attendeeID } else { false }
    }
    return [
      "killed": JSONValue(killed), "decisions": JSONValue(before.count),
      "right_after_ms": JSONValue(right),
      "changed_after_ms": JSONValue((ContinuousClock.now - start).milliseconds),
    ]
  }

  /// All that is decided once media has said that none of these cameras sends a picture.
  private func settledDecisions(of cast: VideoCast) async throws -> Set<String> {
    let limit = deadline()
    while try await view(of: cast).rows.contains(where: { $0.receiver?.forwarding.layer ?? 0 > 0 })
    {
      guard ContinuousClock.now < limit else {
        throw CommandFailure(code: "TILES_DIFFER", message: "Media does not say what flows.")
      }
      try await Task.sleep(for: .milliseconds(50))  // Media tells it when it does.
    }
    return try await decisions(of: cast)
  }

  /// All that is decided in the meeting, each as a text that says all of it.
  private func decisions(of cast: VideoCast) async throws -> Set<String> {
    Set(
      try await view(of: cast).rows.map { row in
        var record = row.record()
        record["downlink_bits_per_second"] = .null  // A measurement.
        return record.json
      })
  }

  /// What is decided in the meeting.
  private func view(of cast: VideoCast) async throws -> TilesView {
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
