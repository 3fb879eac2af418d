import Bus
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import LocalInstallation

/// Tests of `carillon attendee`, `demote`, `roster`, `services` and `limits` as processes.
@Suite(.timeLimit(.minutes(5))) struct AttendeeCommandTests {
  private static let ada = V1.AttendeeRecord(
    meetingID: "m-1", attendeeID: "a-1", externalUserID: "ada", joinToken: "secret",
    capabilities: V1.Capabilities(audio: .sendReceive, video: .receive, content: .none),
    createdAtMs: 12)

  @Test func `the command carillon attendee create prints the join token of the new attendee`()
    async throws
  {
    try await withScriptedOperator { operators in
      let asked = operators.on(V1.OperatorMethods.createAttendee, reply: Self.ada)
      let run = try await operators.run("attendee", "create", "m-1", "--user", "ada")
      #expect(
        asked.entries == [V1.CreateAttendeeRequest(meetingID: "m-1", externalUserID: "ada")])
      #expect(
        run.output == [
          "meeting_id            m-1", "attendee_id           a-1", "external_user_id      ada",
          "audio                 SendReceive", "video                 Receive",
          "content               None", "is_muted_by_operator  no", "is_barred             no",
          "is_present            no",
          "created_at_ms         12", "display_name          -", "join_token            secret",
        ])
    }
  }

  @Test func `a new attendee gets the given display name`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(V1.OperatorMethods.createAttendee, reply: Self.ada)
      _ = try await operators.run("attendee", "create", "m-1", "--user", "g-1", "--name", "花子")
      #expect(
        asked.entries == [
          V1.CreateAttendeeRequest(meetingID: "m-1", externalUserID: "g-1", displayName: "花子")
        ])
    }
  }

  @Test
  func `a token that is written to a file is not printed, and only the owner can read the file`()
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.createAttendee, reply: Self.ada)
      let path = "\(operators.directory)/ada.token"
      let run = try await operators.run(
        "attendee", "create", "m-1", "--user", "ada", "--token-file", path, "--output", "json")
      #expect(run.output.count == 1)
      #expect(run.output.first?.hasSuffix(#""token_file": "\#(path)"}"#) == true)
      #expect(!run.output.joined().contains("secret"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "secret\n")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test func `an existing token file is not overwritten`() async throws {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.createAttendee, reply: Self.ada)
      let path = "\(operators.directory)/precious"
      try "mine".write(toFile: path, atomically: true, encoding: .utf8)
      let run = try await operators.run(
        "attendee", "create", "m-1", "--user", "ada", "--token-file", path)
      #expect(run.exit == .status(1))
      #expect(run.output == [])
      #expect(run.errors.joined().contains("name a file that does not exist yet"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }
  }

  @Test func `attendees are listed page by page, without tokens`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(V1.OperatorMethods.listAttendees) { request in
        var attendee = Self.ada
        if !request.afterAttendeeID.isEmpty { attendee.attendeeID = "a-2" }
        return .success(
          V1.ListAttendeesReply(
            attendees: [attendee], hasMore: request.afterAttendeeID.isEmpty))
      }
      let run = try await operators.run("attendee", "list", "m-1")
      #expect(
        asked.entries == [
          V1.ListAttendeesRequest(meetingID: "m-1", limit: 1000),
          V1.ListAttendeesRequest(meetingID: "m-1", afterAttendeeID: "a-1", limit: 1000),
        ])
      #expect(run.output.count == 3)
      #expect(run.output[1].hasPrefix("m-1         a-1          ada"))
      #expect(run.output[2].hasPrefix("m-1         a-2          ada"))
      #expect(!run.output.joined().contains("secret"))
    }
  }

  @Test func `a deleted attendee is reported as deleted`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.deleteAttendee, reply: V1.DeleteAttendeeReply())
      let run = try await operators.run(
        "attendee", "delete", "m-1", "a-1", "--output", "json")
      #expect(asked.entries == [V1.DeleteAttendeeRequest(meetingID: "m-1", attendeeID: "a-1")])
      #expect(
        run.output == [#"{"meeting_id": "m-1", "attendee_id": "a-1", "is_deleted": true}"#])
    }
  }

  @Test(arguments: [([], true), (["--off"], false)])
  func `the command carillon attendee mute prints whether the attendee is muted`(
    flags: [String], isMuted: Bool
  )
    async throws
  {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.setMutedByOperator, reply: V1.SetMutedByOperatorReply())
      let run = try await carillon(
        ["attendee", "mute", "m-1", "a-1"] + flags, in: operators.directory)
      #expect(
        asked.entries == [
          V1.SetMutedByOperatorRequest(meetingID: "m-1", attendeeID: "a-1", isMuted: isMuted)
        ])
      #expect(run.output.last == "is_muted_by_operator  \(isMuted ? "yes" : "no")")
    }
  }

  @Test(arguments: [true, false])
  func `carillon demote prints whether the attendee was promoted`(wasPromoted: Bool) async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.demoteAttendee, reply: V1.DemoteAttendeeReply(wasPromoted: wasPromoted))
      let run = try await operators.run("demote", "m-1", "a-1", "--output", "json")
      #expect(asked.entries == [V1.DemoteAttendeeRequest(meetingID: "m-1", attendeeID: "a-1")])
      #expect(
        run.output == [
          #"{"meeting_id": "m-1", "attendee_id": "a-1", "was_promoted": \#(wasPromoted)}"#
        ])
      #expect(run.exit == .status(0))
      let text = try await operators.run("demote", "m-1", "a-1")
      #expect(text.output.last == "was_promoted  \(wasPromoted ? "yes" : "no")")
    }
  }

  @Test func `carillon demote fails with the status NOT_FOUND if the attendee does not exist`()
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.demoteAttendee) { _ in
        .failure(Status(.notFound, "There is no such attendee."))
      }
      let run = try await operators.run("demote", "m-1", "a-1")
      #expect(run.output.isEmpty)
      #expect(run.errors == ["carillon: NOT_FOUND: There is no such attendee."])
      #expect(run.exit == .status(1))
    }
  }

  @Test func `a roster is printed as a table in the order of arrival`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.getRoster,
        reply: V1.RosterSnapshot(
          entries: [
            V1.RosterEntry(
              attendee: V1.AttendeeInfo(
                attendeeID: "b-2", externalUserID: "ben", displayName: "Łukasz"),
              isMuted: true, isMutedByOperator: true, volume: .muted, signal: .none, joinedAtMs: 7),
            V1.RosterEntry(
              attendee: V1.AttendeeInfo(attendeeID: "a-1", externalUserID: "ada"),
              volume: .medium, joinedAtMs: 9),
          ]))
      let run = try await operators.run("roster", "m-1")
      #expect(asked.entries.map(\.meetingID) == ["m-1"])
      #expect(
        run.output == [
          "attendee_id  external_user_id  is_muted  is_muted_by_operator  volume  signal   "
            + "joined_at_ms  display_name",
          "b-2          ben               yes       yes                   muted   none     "
            + "7             Łukasz",
          "a-1          ada               no        no                    medium  unknown  "
            + "9             -",
        ])
    }
  }

  @Test(
    arguments: [
      (.notSpeaking, .low, "not_speaking", "low"), (.low, .high, "low", "high"),
      (.high, .unspecified, "high", "unknown"), (.unspecified, .none, "unknown", "none"),
      (.unrecognized(99), .unrecognized(98), "99", "98"),
    ] as [(V1.VolumeLevel, V1.SignalStrength, String, String)])
  func `volume and signal are printed as words, and unknown values as numbers`(
    volume: V1.VolumeLevel, signal: V1.SignalStrength, volumeWord: String, signalWord: String
  ) async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.getRoster,
        reply: V1.RosterSnapshot(entries: [V1.RosterEntry(volume: volume, signal: signal)]))
      let run = try await operators.run("roster", "m-1", "--output", "json")
      #expect(
        run.output == [
          #"{"attendee_id": "", "external_user_id": "", "is_muted": false, "#
            + #""is_muted_by_operator": false, "volume": "\#(volumeWord)", "#
            + #""signal": "\#(signalWord)", "joined_at_ms": 0, "display_name": ""}"#
        ])
    }
  }

  @Test func `services are printed as a table that includes dead services`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.getServices,
        reply: V1.GetServicesReply(instances: [
          V1.ServiceInstance(
            service: "media", instance: "media-a", term: 3, isLive: true, processID: 99,
            startedAtMs: 5, isDraining: true, meetings: 4),
          V1.ServiceInstance(service: "presence", instance: "presence-a", term: 12),
        ]))
      let run = try await operators.run("services")
      #expect(
        run.output == [
          "service   instance    term  is_live  process_id  started_at_ms  is_draining  meetings",
          "media     media-a     3     yes      99          5              yes          4",
          "presence  presence-a  12    no       0           0              no           0",
        ])
    }
  }

  @Test func `limits are printed as one object, and the name of each limit contains its unit`()
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.getLimits,
        reply: V1.Limits(maxAttendees: 250, dataMessageBytes: 2048, resumeSeconds: 90))
      let json = try await operators.run("limits", "--output", "json")
      #expect(json.output.count == 1)
      #expect(json.output.first?.hasPrefix(#"{"max_attendees": 250, "#) == true)
      let text = try await operators.run("limits")
      #expect(text.output.contains("data_message_bytes               2048"))
      #expect(text.output.contains("resume_seconds                   90"))
    }
  }

  @Test func `a name with a line break cannot forge a row`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.getRoster,
        reply: V1.RosterSnapshot(entries: [
          V1.RosterEntry(
            attendee: V1.AttendeeInfo(attendeeID: "a-1", externalUserID: "ada\nb-2\tben"))
        ]))
      let text = try await operators.run("roster", "m-1")
      #expect(text.output.count == 2)
      #expect(text.output.last?.hasPrefix(#"a-1          ada\nb-2\tben"#) == true)
      let json = try await operators.run("roster", "m-1", "--output", "json")
      #expect(json.output.first?.contains(#""external_user_id": "ada\nb-2\tben""#) == true)
    }
  }
}
