import ClientTestSupport
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of remote videos over real sockets, with a scripted gateway.
@Suite(.timeLimit(.minutes(5))) struct RemoteVideoTests {
  private typealias Subscriptions = V1.UpdateVideoSubscriptionsRequest

  /// Joins a meeting, receives the given snapshot of the meeting's video, and leaves at the end.
  private func join(
    _ board: V1.TileBoardSnapshot,
    _ body: @escaping @Sendable (ConnectedClient, ScriptedGateway) async throws -> Void
  ) async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      client.audioVideo.startRemoteVideo()
      _ = try await gateway.video.asked(1)
      gateway.say(.tileBoardSnapshot(board))
      try await client.sees("started ok")
      try await body(client, gateway)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  /// Waits until the client has reported at least `count` sources, and returns all reported
  /// sources.
  private func sources(_ count: Int, of client: ConnectedClient) async throws -> [RemoteVideoSource]
  {
    try await client.sources.wait(for: "\(count) sources") { $0.count >= count }.map(\.value)
  }

  @Test func `the video session starts at the first snapshot and reports sources before tiles`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      #expect(client.seen.entries == ["connecting"])
      gateway.say(
        .tileBoardSnapshot(
          .board(
            .of("bob", 1), .of("ada", 2), .of("ada#content", 3), .of("cy#content", 4),
            tiles: [.bob(1, .pausedForPoorConnection)])))
      let seen = try await client.seen(from: 1, to: "add 1 bob")
      #expect(seen == ["started ok", "camera true", "available bob cy#content", "add 1 bob"])
      client.audioVideo.stop()
      try await client.hears("stopped ok")
      #expect(client.seen.entries.suffix(2) == ["remove 1", "stopped ok"])
      #expect(gateway.video.asked.entries.isEmpty)
    }
  }

  /// Covers rule 39 of the conformance list for `AudioVideoFacade`.
  @Test func `remote video is off after each start`() async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      client.audioVideo.startRemoteVideo()
      for round in 1...2 {
        try client.audioVideo.start()
        try await client.hears("started false", times: round)
        client.audioVideo.startRemoteVideo()
        client.audioVideo.startRemoteVideo()
        let asked = try await gateway.video.asked(round)
        #expect(asked.count == round && asked.last == .receive(true))
        client.audioVideo.stop()
        try await client.hears("stopped ok", times: round)
      }
      #expect(gateway.starts.entries.allSatisfy { $0.video == nil })
      let faults = client.logger.lines.filter { $0.hasPrefix("fault") }
      #expect(faults == ["fault: startRemoteVideo: the session is not started."])
    }
  }

  @Test func `the view-only status 206 and each change of the status are reported once`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      let full = V1.CameraAvailabilityChanged(
        status: .videoAtCapacityViewOnly, isAvailable: false)
      gateway.say(
        .tileBoardSnapshot(.board(status: .videoAtCapacityViewOnly, isAvailable: false)))
      gateway.say(.cameraAvailabilityChanged(full))
      gateway.say(.cameraAvailabilityChanged(.init(status: .ok, isAvailable: true)))
      gateway.say(.cameraAvailabilityChanged(.init(status: .ok, isAvailable: false)))
      let seen = try await client.seen(from: 3, to: "camera false")
      #expect(
        client.seen.entries.prefix(3) + []
          == ["connecting", "started videoAtCapacityViewOnly", "camera false"])
      #expect(seen == ["started ok", "camera true", "camera false"])
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  /// Covers rule 31 of the conformance list for `AudioVideoFacade`.
  @Test func `an available source keeps its object, and a returning source gets a new object`()
    async throws
  {
    try await join(.board(.of("bob", 1), .of("cy", 2))) { client, gateway in
      gateway.say(.videoSourcesChanged(.init(available: [.of("bob", 1), .of("dan", 3)])))
      gateway.say(.videoSourcesChanged(.init(unavailable: [.of("bob", 1)])))
      gateway.say(.videoSourcesChanged(.init(available: [.of("bob", 4)])))
      gateway.say(.tileBoardSnapshot(.board(.of("bob", 4), .of("dan", 3), sequence: 9)))
      try await client.sees("unavailable cy")
      let sources = try await sources(6, of: client)
      #expect(sources.map(\.attendeeId) == ["bob", "cy", "dan", "bob", "bob", "cy"])
      #expect(sources[0] === sources[3])
      #expect(sources[0] !== sources[4])
      #expect(sources[1] === sources[5])
      #expect(
        client.seen.entries.filter { $0.hasSuffix("cy") || $0.contains("available dan") } == [
          "available bob cy", "available dan", "unavailable cy",
        ])
    }
  }

  /// Covers rule 32 of the conformance list for `AudioVideoFacade`.
  @Test func `the first subscription call ends the automatic subscription to other sources`()
    async throws
  {
    try await join(.board(.of("bob", 1), .of("cy", 2))) { client, gateway in
      #expect(gateway.video.asked.entries == [.receive(true)])
      let sources = try await sources(2, of: client)
      let configuration = VideoSubscriptionConfiguration()
      configuration.priority = .highest
      configuration.targetResolution = .medium
      client.audioVideo.updateVideoSourceSubscriptions(
        addedOrUpdated: [sources[1]: configuration], removed: [])
      let asked = try await gateway.video.asked(2)
      #expect(
        asked.last
          == .subscribe(
            Subscriptions(addedOrUpdated: [
              .init(participantID: "cy", priority: .highest, targetWidth: 640, targetHeight: 480)
            ])))
    }
  }

  @Test func `a first subscription call that names no sources ends the automatic subscriptions`()
    async throws
  {
    try await join(.board(.of("bob", 1))) { client, gateway in
      client.audioVideo.updateVideoSourceSubscriptions(addedOrUpdated: [:], removed: [])
      let asked = try await gateway.video.asked(2)
      #expect(asked.last == .subscribe(Subscriptions()))
    }
  }

  @Test func `a client requests only changed subscriptions and none to a removed source`()
    async throws
  {
    try await join(.board(.of("bob", 1), .of("cy", 2))) { client, gateway in
      let sources = try await sources(2, of: client)
      let (first, second) = (VideoSubscriptionConfiguration(), VideoSubscriptionConfiguration())
      client.audioVideo.updateVideoSourceSubscriptions(
        addedOrUpdated: [sources[0]: first, sources[1]: second], removed: [])
      _ = try await gateway.video.asked(2)
      second.priority = .low
      client.audioVideo.updateVideoSourceSubscriptions(
        addedOrUpdated: [sources[0]: first, sources[1]: second], removed: [])
      let update = try await gateway.video.asked(3)[2]
      #expect(
        update
          == .subscribe(
            Subscriptions(addedOrUpdated: [
              .init(participantID: "cy", priority: .low, targetWidth: 960, targetHeight: 720)
            ])))
      gateway.say(.videoSourcesChanged(.init(unavailable: [.of("cy", 2)])))
      try await client.sees("unavailable cy")
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      let request = try await gateway.starts.wait(for: "the return") { $0.count == 2 }[1]
      #expect(request.video?.subscriptions?.subscriptions.map(\.participantID) == ["bob"])
      client.audioVideo.updateVideoSourceSubscriptions(
        addedOrUpdated: [:], removed: [sources[0], sources[1]])
      // The client declared remote video and its subscriptions when it reconnected.
      let asked = try await gateway.video.asked(4)
      #expect(asked.last == .subscribe(Subscriptions(removed: ["bob"])))
    }
  }

  /// Covers rule 33 of the conformance list for `AudioVideoFacade`.
  @Test func `a removed tile that returns is added again at its next frame`() async throws {
    try await join(.board(.of("bob", 1), tiles: [.bob(1)])) { client, gateway in
      try await client.begins(1)
      gateway.say(.tilesChanged(.init(tiles: [.removed(1)])))
      try await client.sees("remove 1")
      await client.give(1)
      gateway.say(.tilesChanged(.init(tiles: [.bob(1)])))
      gateway.say(.videoSourcesChanged(.init(available: [.of("cy", 2)])))
      try await client.sees("available cy")
      #expect(client.seen.entries.count { $0 == "add 1 bob" } == 1)
      await client.give(1)
      try await client.sees("add 1 bob", times: 2)
    }
  }

  @Test
  func `the end of a source is reported before the removal of the source's tile`() async throws {
    try await join(.board(.of("bob", 1), tiles: [.bob(1)])) { client, gateway in
      try await client.begins(1)
      gateway.say(.videoSourcesChanged(.init(unavailable: [.of("bob", 1)])))
      let seen = try await client.seen(from: 0, to: "remove 1")
      #expect(seen.suffix(3) == ["add 1 bob", "unavailable bob", "remove 1"])
    }
  }

  @Test func `each pause is requested, and the gateway's answer updates the tile`() async throws {
    try await join(.board(.of("bob", 1), tiles: [.bob(1)])) { client, gateway in
      gateway.video.onPause = { .bob($0, $1 ? .pausedByUserRequest : .pausedForPoorConnection) }
      try await client.begins(1)
      client.audioVideo.pauseRemoteVideoTile(tileId: 1)
      _ = try await gateway.video.asked(2)
      client.audioVideo.pauseRemoteVideoTile(tileId: 1)
      _ = try await gateway.video.asked(3)
      client.audioVideo.resumeRemoteVideoTile(tileId: 1)
      client.audioVideo.resumeRemoteVideoTile(tileId: 77)
      try await client.sees("pause 1", times: 2)
      #expect(client.seen.entries.suffix(3) == ["pause 1", "resume 1", "pause 1"])
      #expect(
        gateway.video.asked.entries.dropFirst()
          == [.pause(1, true), .pause(1, true), .pause(1, false)])
    }
  }

  @Test func `an answer to a pause does not undo a later event`() async throws {
    try await join(.board(.of("bob", 1), tiles: [.bob(1)])) { client, gateway in
      try await client.begins(1)
      gateway.video.onPause = { [unowned gateway] tile, isPaused in
        // The event of this pause, and a later event, overtake the answer.
        gateway.say(.tilesChanged(.init(tiles: [.bob(1, .pausedForPoorConnection), .bob(1)])))
        return .bob(tile, isPaused ? .pausedByUserRequest : .pausedForPoorConnection)
      }
      client.audioVideo.pauseRemoteVideoTile(tileId: 1)
      _ = try await gateway.video.asked(2)
      client.audioVideo.resumeRemoteVideoTile(tileId: 1)
      _ = try await gateway.video.asked(3)
      gateway.say(.videoSourcesChanged(.init(available: [.of("cy", 2)])))
      let seen = try await client.seen(from: 0, to: "available cy")
      #expect(seen.filter { $0.hasSuffix(" 1") }.last == "resume 1")
    }
  }

  @Test func `a call that fails temporarily is repeated, and a refused call is not repeated`()
    async throws
  {
    try await withScriptedGateway { gateway in
      gateway.onStart = { request, _ in
        var started = V1.SessionStarted.opened(0)
        started.keepAliveMs = 100
        return started
      }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      gateway.video.onCall = { [unowned gateway] asked in
        switch asked {
        case .receive:
          gateway.video.asked.entries.count < 2 ? Status(.unavailable, "Not now.") : nil
        default: Status(.invalidArgument, "Not so.")
        }
      }
      client.audioVideo.startRemoteVideo()
      _ = try await gateway.video.asked(3)
      client.audioVideo.updateVideoSourceSubscriptions(addedOrUpdated: [:], removed: [])
      _ = try await gateway.video.asked(4)
      client.audioVideo.stopRemoteVideo()
      let asked = try await gateway.video.asked(5)
      #expect(
        asked == [
          .receive(true), .receive(true), .receive(true), .subscribe(Subscriptions()),
          .receive(false),
        ])
      try await eventually("the refusal is logged") {
        client.logger.lines.count { $0.contains("Not so.") } == 1
      }
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }
}
