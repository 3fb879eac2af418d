internal import Bus
internal import CarillonClientCore
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Wire

extension Doctor {
  /// Checks a meeting from creation to deletion, with two attendees who receive notifications of
  /// each other.
  func roundTrip() async -> Finding {
    let gateway: RunningGateway
    do {
      gateway = try RunningGateway.find(in: [directory])
    } catch {
      return Finding(.roundTrip, directory, .skipped("no gateway runs"))
    }
    let connection = OperatorConnection()
    let attempt = Attempt()
    let outcome: Finding.Outcome
    do {
      try await connection.open(gateway.operatorEndpoint)
      outcome = .ok(try await meet(gateway, connection, attempt).text)
    } catch {
      outcome = .failed(
        "\(attempt.stage): \(CommandFailure(error))",
        remedy:
          """
          correct the other failures in this list, and run carillon doctor again; if there are \
          none, read the logs of \(gateway.instance) and of presence at this time
          """)
    }
    for client in attempt.clients { client.stop() }
    await connection.close()
    return Finding(.roundTrip, gateway.instance, outcome)
  }

  /// The progress of the check.
  private final class Attempt {
    /// The current action, for the message if the action fails.
    var stage = "connecting"
    var clients: [InProcessClient] = []
  }

  private func meet(
    _ gateway: RunningGateway, _ connection: OperatorConnection, _ attempt: Attempt
  ) async throws -> JSONValue {
    attempt.stage = "creating a meeting"
    var clock = Stopwatch()
    let meeting = try await connection.call(
      V1.OperatorMethods.createMeeting,
      V1.CreateMeetingRequest(externalMeetingID: "carillon-doctor", maxAttendees: 2))
    var times: OutputRecord = ["create_ms": JSONValue(clock.lap())]
    do {
      let cast = try await join(meeting.meetingID, gateway, connection, attempt)
      times["join_ms"] = JSONValue(clock.lap())
      attempt.stage = "hearing a mute"
      _ = try await cast.exerciseMute(
        by: cast.clients[0], since: cast.mark, within: .seconds(5))
      times["mute_ms"] = JSONValue(clock.lap())
      attempt.stage = "deleting the meeting"
      let mark = cast.mark
      try await delete(meeting.meetingID, connection)
      _ = try await cast.hear("its session ended", since: mark, within: .seconds(5)) { $0.isEnd }
      times["delete_ms"] = JSONValue(clock.lap())
      return .object(times)
    } catch {
      // The meeting has no other attendee. If the call fails, the meeting ends after a timeout.
      try? await delete(meeting.meetingID, connection)
      throw error
    }
  }

  /// Makes two attendees join, and checks that each client receives notifications of both
  /// attendees.
  private func join(
    _ meeting: String, _ gateway: RunningGateway, _ connection: OperatorConnection,
    _ attempt: Attempt
  ) async throws -> ObservedClientGroup {
    attempt.stage = "creating attendees"
    for name in ["doctor-1", "doctor-2"] {
      let ticket = try await JoinInformation.create(
        in: meeting, for: name, by: connection, gateway: gateway.clientEndpoint)
      attempt.clients.append(
        InProcessClient(
          MeetingSessionConfiguration(
            meetingID: meeting, attendee: ticket.attendee, joinToken: ticket.joinToken,
            gateway: ticket.gateway)))
    }
    attempt.stage = "joining"
    let cast = ObservedClientGroup(clients: attempt.clients)
    for client in attempt.clients { try client.start() }
    for client in attempt.clients {
      _ = try await cast.hear(.joined, client, since: cast.beginning, within: .seconds(10))
    }
    return cast
  }

  private func delete(_ meeting: String, _ connection: OperatorConnection) async throws {
    _ = try await connection.call(
      V1.OperatorMethods.deleteMeeting, V1.DeleteMeetingRequest(meetingID: meeting))
  }
}

/// Measures consecutive actions.
private struct Stopwatch {
  private var last = ContinuousClock.now

  /// Returns the milliseconds since the last lap.
  mutating func lap() -> Int {
    let now = ContinuousClock.now
    defer { last = now }
    return (now - last).milliseconds
  }
}
