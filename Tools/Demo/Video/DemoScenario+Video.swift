internal import Bus
internal import CarillonClient
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Wire

/// The steps about video, in a separate meeting.
extension DemoScenario {
  /// Plays the steps.
  func video() async {
    let cast = try? await report.require(.camerasFull) { try await fillWithCameras() }
    guard let cast else {
      let steps: [DemoStepResult.Step] = [
        .cameraBeyondLimit, .shareBeyondLimit, .videoTilesKilled, .meetingFull,
      ]
      for step in steps {
        report.skip(step, because: "the cameras did not start")
      }
      return
    }
    await report.check(.cameraBeyondLimit) { try await cameraBeyondLimit(cast) }
    await report.check(.shareBeyondLimit) { try await shareBeyondLimit(cast) }
    if let installation = house.installation {
      await report.check(.videoTilesKilled) { try await videoTilesKilled(cast, installation) }
    } else {
      report.skip(.videoTilesKilled, because: "the demo did not start the services")
    }
    if house.installation != nil {
      await report.check(.meetingFull) { try await meetingFull(cast) }
    } else {
      report.skip(.meetingFull, because: "the demo did not set the number of seats")
    }
    await end(cast)
  }

  private func end(_ cast: DemoVideoMeeting) async {
    await cast.pythonCamera.stop()
    for watcher in cast.watchers { watcher.stop() }
    try? await control.deleteMeeting(cast.meetingID)
  }

  func deadline(in limit: Duration = soon) -> ContinuousClock.Instant { .now + limit }

  /// Returns the limits of the installation. Returns the default limits if this program reaches no
  /// operator endpoint.
  private func limits() async throws -> (cameras: Int, shares: Int) {
    guard house.hasOperator else { return (25, 2) }
    let limits = try await OperatorConnection.with(gatewayIn: house.places) {
      try await $0.call(V1.OperatorMethods.getLimits, V1.GetLimitsRequest())
    }
    return (Int(limits.maxCameras), Int(limits.maxContentShares))
  }

  /// Starts as many cameras as a meeting allows, and waits until all clients know all cameras.
  ///
  /// The first client draws its pictures when it sends them. One client is a Python client. The
  /// other clients replay a recording. At least one further client sends no camera video.
  private func fillWithCameras() async throws -> (DemoVideoMeeting, OutputRecord) {
    let cast = try await makeVideoCast()
    do {
      return (cast, try await startCameras(cast))
    } catch {
      await end(cast)
      let last = cast.pythonCamera.lastWords
      throw last.isEmpty
        ? error : CommandFailure(code: "UNAVAILABLE", message: "\(error) Python said: \(last)")
    }
  }

  private func makeVideoCast() async throws -> DemoVideoMeeting {
    let meeting = try await control.createMeeting(externalMeetingID: "carillon-demo-video")
    let pythonCamera = try python(.camera, try await createAttendee("h264", in: meeting))
    var watchers: [DemoVideoClient] = []
    let limits = try await limits()
    for number in 0..<max(limits.cameras, limits.shares + 1) {
      watchers.append(DemoVideoClient(try await createAttendee("v\(number + 1)", in: meeting)))
    }
    return DemoVideoMeeting(
      meeting: meeting, cameras: limits.cameras, watchers: watchers, pythonCamera: pythonCamera)
  }

  private func startCameras(_ cast: DemoVideoMeeting) async throws -> OutputRecord {
    try await cast.pythonCamera.start()
    for watcher in cast.watchers { try watcher.start() }
    let recording = try VideoRecording(
      ofTestPattern: 160, 90, framesPerSecond: 15, seconds: 3, bitsPerSecond: 60_000)
    try await cast.hear("it is in the meeting", until: deadline(in: .seconds(40))) {
      $1 == .joined
    }
    for (number, watcher) in cast.publishers.enumerated() {
      if number == 0 {
        watcher.sendLive()
      } else {
        watcher.replay(recording, from: number * recording.count / cast.publishers.count)
      }
    }
    let everybody = cast.cameraIDs
    try await cast.hear(
      "all \(everybody.count) cameras have tiles", until: deadline(in: .seconds(60))
    ) { watcher, _ in
      watcher.journal.sources == everybody.subtracting([watcher.attendeeID])
    }
    return [
      "cameras": JSONValue(everybody.count), "live": 1,
      "replayed": JSONValue(cast.publishers.count - 1), "h264": 1,
      "recorded_pictures": JSONValue(recording.count),
    ]
  }

  /// Starts as many content shares as a meeting allows, and checks that the server refuses the next
  /// content share.
  private func shareBeyondLimit(_ cast: DemoVideoMeeting) async throws -> OutputRecord {
    let shares = try await limits().shares
    for watcher in cast.watchers.prefix(shares) {
      watcher.share()
      try await DemoVideoMeeting.hear("its share has started", watcher, until: deadline()) {
        $0 == .shareStarted
      }
      for other in cast.watchers where other.attendeeID != watcher.attendeeID {
        try await DemoVideoMeeting.hear("\(watcher.name) shares", other, until: deadline()) {
          $0 == .available("\(watcher.attendeeID)#content")
        }
      }
    }
    let marks = cast.marks
    let refused = cast.watchers[shares]
    refused.share()
    try await DemoVideoMeeting.hear(
      "its share is refused", refused, since: marks[shares], until: deadline()
    ) { if case .shareStopped(let status) = $0 { status != 0 } else { false } }
    try cast.requireNothing("another share", since: marks) { event in
      switch event {
      case .shareStarted, .available: true
      case .shareStopped, .unavailable, .tileAdded, .tileRemoved, .joined, .ended, .status,
        .mayPublish, .cameraReleased:
        false
      }
    }
    return ["shares": JSONValue(shares), "refused": .text(refused.name)]
  }
}
