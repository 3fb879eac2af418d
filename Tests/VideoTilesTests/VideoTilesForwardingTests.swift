import Bus
import MeetingModel
import OwnerTestSupport
import Testing
import Wire

@testable import VideoTiles

/// Tests that act as media: each test reports the links' capacities and follows the decisions.
@Suite(.timeLimit(.minutes(5))) struct VideoTilesForwardingTests {
  private let publishers = (11...15).map { Person(number: $0) }
  private let rules = VideoTilesRules(
    raising: BudgetIncreaseRules(hold: .milliseconds(50), longestHold: .milliseconds(50)))

  /// Runs a test in which five attendees publish three layers each, Ada and Grace receive, and
  /// media follows the decisions.
  private func withMeeting(
    _ body: @escaping @Sendable (TestGateway, TestMedia) async throws -> Void
  ) async throws {
    try await withVideoTiles(rules) { tiles in
      try await tiles.withGateway { gateway in
        try await tiles.withMedia { media in
          try await gateway.follow()
          for person in [Person.ada, .grace] { try await gateway.join(person) }
          await media.watch()
          for person in publishers {
            try await gateway.join(person, publishing: .camera(150, 600, 1_200))
          }
          try await body(gateway, media)
          let view = try await media.view { _ in true }
          #expect(!view.hasGap)
        }
      }
    }
  }

  @Test func `media receives the list of publishers and the layers of each receiver`() async throws
  {
    try await withMeeting { gateway, media in
      let view = try await media.view {
        $0.layers(to: .grace, from: publishers) == [3, 3, 3, 3, 3]
      }
      #expect(view.sources.count == 5)
      #expect(
        Set(view.publishers.values) == Set(publishers.map { $0.session().bytes }))
      #expect(view.receivers.count == 7)
      #expect(view.reasons(to: .ada, from: publishers) == Array(repeating: .wanted, count: 5))
      try await gateway.leave(publishers[0])
      try await gateway.leave(.grace)
      let after = try await media.view { $0.receivers.count == 5 }
      #expect(after.sources.count == 4)
    }
  }

  @Test func `a pinned tile keeps its top layer when other tiles lose layers, pause and resume`()
    async throws
  {
    try await withMeeting { gateway, media in
      var wanted = Dictionary(uniqueKeysWithValues: publishers.map { ($0, V1.VideoPriority.low) })
      wanted[publishers[2]] = .highest
      try await gateway.subscribe(.ada, to: wanted)
      try await media.reportDownlink([.ada: 6_000, .grace: 6_000])
      try await media.view { $0.layers(to: .ada, from: publishers) == [3, 3, 3, 3, 3] }
      try await media.reportDownlink([.ada: 3_000])
      try await media.view { $0.layers(to: .ada, from: publishers) == [2, 2, 3, 1, 1] }
      try await media.reportDownlink([.ada: 1_500])
      let poor = try await media.view { $0.layers(to: .ada, from: publishers) == [1, 1, 3, 0, 0] }
      #expect(
        poor.reasons(to: .ada, from: publishers)
          == [.lowered, .lowered, .wanted, .pausedForBandwidth, .pausedForBandwidth])
      #expect(poor.layers(to: .grace, from: publishers) == [3, 3, 3, 3, 3])
      let paused = try await gateway.event { event in
        event.tiles.contains { $0.pauseState == .pausedForPoorConnection }
      }
      #expect(paused.header.onlyFor == [Person.ada.participant.text])
      #expect(paused.tiles.map(\.tileID) == [4, 5])
      try await media.reportDownlink([.ada: 9_000])
      try await media.view { $0.layers(to: .ada, from: publishers) == [3, 3, 3, 3, 3] }
      let back = try await gateway.event { event in
        event.header.sequence > paused.header.sequence
          && event.tiles.contains { $0.pauseState == .unpaused }
      }
      #expect(back.tiles.map(\.tileID) == [4, 5])
    }
  }

  @Test func `a user turns pages by pausing and resuming tiles`() async throws {
    try await withMeeting { gateway, media in
      for tile in [3, 4, 5] as [UInt32] {
        #expect(
          try await gateway.pause(tile, of: .ada)?.pauseState == .pausedByUserRequest)
      }
      try await media.view { $0.layers(to: .ada, from: publishers) == [3, 3, 0, 0, 0] }
      for tile in [1, 2] as [UInt32] { try await gateway.pause(tile, of: .ada) }
      for tile in [3, 4] as [UInt32] {
        let resumed = try await gateway.pause(tile, of: .ada, to: false)
        #expect(resumed?.pauseState == .unpaused)
      }
      let view = try await media.view {
        $0.layers(to: .ada, from: publishers) == [0, 0, 3, 3, 0]
      }
      #expect(view.forwarding(to: .ada, from: publishers[4])?.reason == .pausedByUser)
      try await media.reportDownlink([.ada: 1_200])
      try await media.view { $0.layers(to: .ada, from: publishers) == [0, 0, 2, 2, 0] }
      try await media.reportDownlink([.ada: 100])
      #expect(
        try await gateway.pause(1, of: .ada, to: false)?.pauseState == .pausedForPoorConnection)
    }
  }

  @Test func `media forwards only layers whose packets arrive`() async throws {
    try await withMeeting { _, media in
      try await media.reportTrack(1, layer: 3, isFlowing: false)
      try await media.view { $0.layers(to: .ada, from: publishers)[0] == 2 }
      for layer in [1, 2] as [UInt32] {
        try await media.reportTrack(1, layer: layer, isFlowing: false)
      }
      try await media.view { $0.reasons(to: .ada, from: publishers)[0] == .notFlowing }
      try await media.reportTrack(1, layer: 1, isFlowing: true)
      try await media.view { $0.layers(to: .ada, from: publishers)[0] == 1 }
    }
  }

  @Test func `media can watch a meeting before the first attendee joins`() async throws {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await tiles.withMedia { media in
          await media.watch()
          let empty = try await media.view { $0.sequence == 1 }
          #expect(empty.sources.isEmpty && empty.receivers.isEmpty)
          try await gateway.join(.ada)
          let view = try await media.view { $0.receivers.count == 1 }
          #expect(!view.hasGap)
        }
      }
    }
  }
}
