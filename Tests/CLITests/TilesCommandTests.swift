import Bus
import Glibc
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import LocalInstallation

/// Tests of `carillon tiles` as a process. The command prints lines, because its output is not a
/// terminal.
@Suite(.timeLimit(.minutes(5))) struct TilesCommandTests {
  private static let camera = V1.VideoSource(
    tileID: 4, attendee: V1.AttendeeInfo(attendeeID: "a-1", externalUserID: "ada"), kind: .camera,
    layers: [
      V1.VideoLayer(width: 320, height: 180, framesPerSecond: 15, bitsPerSecond: 150_000),
      V1.VideoLayer(width: 640, height: 360, framesPerSecond: 30, bitsPerSecond: 600_000),
    ])

  private static func receiver(
    _ session: UInt8, _ participant: String, _ layer: UInt32, _ reason: V1.ForwardingReason
  ) -> V1.ReceiverDecision {
    V1.ReceiverDecision(
      sessionID: [session], participantID: participant,
      forwardings: [
        V1.Forwarding(
          tileID: 4, layer: layer, reason: reason, bitsPerSecond: layer * 300_000,
          priority: .medium)
      ], downlinkBitsPerSecond: 900_000)
  }

  private static let whole = V1.ForwardingUpdate(
    sequence: 1, isComplete: true, sources: [camera],
    receivers: [receiver(1, "b-2", 2, .wanted)])

  private static let attendees = V1.ListAttendeesReply(
    attendees: [V1.AttendeeRecord(attendeeID: "b-2", externalUserID: "ben")])

  @Test func `carillon tiles --once prints a table with the names of the receivers`()
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.watchTiles, items: [Self.whole], end: nil)
      let asked = operators.on(V1.OperatorMethods.listAttendees, reply: Self.attendees)
      let run = try await operators.run("tiles", "m-1", "--once")
      #expect(
        run.output == [
          "tile  source  layers                   receiver  gets         why     priority  kbit/s  "
            + "downlink",
          "4     ada     180p15/150k 360p30/600k  ben       2/2 640x360  wanted  medium    600     "
            + "900",
        ])
      #expect(run.exit == .status(0))
      #expect(asked.count == 1)
    }
  }

  @Test func `carillon tiles requests no names if there are no receivers`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.watchTiles,
        items: [V1.ForwardingUpdate(sequence: 1, isComplete: true, sources: [Self.camera])],
        end: nil)
      let asked = operators.on(V1.OperatorMethods.listAttendees, reply: Self.attendees)
      let run = try await operators.run("tiles", "m-1", "--once", "--output", "json")
      #expect(asked.count == 0)
      #expect(run.output.count == 1)
      #expect(run.output[0].hasPrefix(#"{"tile_id": 4, "attendee_id": "a-1", "#))
      #expect(run.output[0].contains(#""receiver_id": null"#))
    }
  }

  @Test func `carillon tiles --once prints nothing for a meeting without video`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.watchTiles,
        items: [V1.ForwardingUpdate(sequence: 1, isComplete: true)], end: nil)
      let run = try await operators.run("tiles", "m-1", "--once")
      #expect(run.output == [] && run.errors == [])
      #expect(run.exit == .status(0))
    }
  }

  @Test func `carillon tiles reports that a meeting has ended`() async throws {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.watchTiles, items: [], end: .some(nil))
      let run = try await operators.run("tiles", "m-1", "--once")
      #expect(run.exit == .status(1))
      #expect(
        run.errors == [
          "carillon: NOT_FOUND: The meeting m-1 has ended; "
            + "`carillon meeting list` shows live meetings."
        ])
    }
  }

  @Test func `carillon tiles without a terminal prints all rows first and then the changes`()
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.watchTiles,
        items: [
          Self.whole,
          V1.ForwardingUpdate(
            sequence: 2, receivers: [Self.receiver(1, "b-2", 1, .lowered)]),
          V1.ForwardingUpdate(sequence: 3, endedTileIDs: [4]),
        ], end: .some(nil))
      operators.on(V1.OperatorMethods.listAttendees, reply: Self.attendees)
      let run = try await operators.run("tiles", "m-1")
      #expect(
        run.output.map { $0.split(separator: "  ", maxSplits: 1).last.map(String.init) } == [
          "tile 4 of ada to ben: 2/2 640x360, wanted",
          "tile 4 of ada to ben: 1/2 320x180, lowered",
          "tile 4 of ada to ben: ended",
        ])
      #expect(run.exit == .status(0))
    }
  }

  @Test func `a change that is printed as JSON marks the removed rows`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.watchTiles,
        items: [Self.whole, V1.ForwardingUpdate(sequence: 2, endedSessionIDs: [[1]])],
        end: .some(nil))
      operators.on(V1.OperatorMethods.listAttendees, reply: Self.attendees)
      let run = try await operators.run("tiles", "m-1", "--output", "json")
      // The table no longer has a row for the receiver. The source has a row of its own instead.
      #expect(run.output.count == 3)
      #expect(run.output[0].hasSuffix(#""is_removed": false}"#))
      #expect(run.output[1].hasSuffix(#""is_removed": true}"#))
      #expect(run.output[1].contains(#""receiver_external_user_id": "ben""#))
      #expect(run.output[2].contains(#""receiver_id": null"#))
      #expect(run.output[2].hasSuffix(#""is_removed": false}"#))
    }
  }

  @Test func `the name of an unknown attendee is requested once`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.watchTiles,
        items: [
          Self.whole,
          V1.ForwardingUpdate(
            sequence: 2, receivers: [Self.receiver(1, "b-2", 1, .pausedByUser)]),
        ], end: .some(nil))
      let asked = operators.on(
        V1.OperatorMethods.listAttendees, reply: V1.ListAttendeesReply())
      let run = try await operators.run("tiles", "m-1", "--plain")
      #expect(asked.count == 1)
      #expect(run.output.map { $0.contains("to b-2: ") } == [true, true])
    }
  }

  @Test func `carillon tiles ends after a refusal and sends no second request`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.watchTiles, items: [],
        end: .some(Status(.notFound, "There is no meeting m-1.")))
      let run = try await operators.run("tiles", "m-1")
      #expect(run.exit == .status(1))
      #expect(run.errors == ["carillon: NOT_FOUND: There is no meeting m-1."])
    }
  }

  @Test func `a signal ends carillon tiles without a failure`() async throws {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.watchTiles, items: [Self.whole], end: nil)
      operators.on(V1.OperatorMethods.listAttendees, reply: Self.attendees)
      let running = try await operators.start("tiles", "m-1")
      try await running.says("tile 4 of ada to ben")
      running.child.signal(SIGINT)
      let run = await running.end()
      #expect(run.exit == .status(0))
      #expect(run.errors == [])
    }
  }
}
