import Bus
import ClientTestSupport
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

@testable import LocalInstallation

/// A gateway that answers operators and clients as the test defines.
///
/// The gateway and the test's body run on the same socket thread.
struct ScriptedMeeting {
  let clients: ScriptedGateway
  let operators: ScriptedOperator

  /// Answers every request to create an attendee with the given attendee.
  func admit(_ attendee: String = "a-1", called name: String = "ada") {
    operators.on(
      V1.OperatorMethods.createAttendee,
      reply: V1.AttendeeRecord(
        meetingID: "m-1", attendeeID: attendee, externalUserID: name, joinToken: "secret"))
  }

  /// Starts the program `carillon`, and waits until the program has joined.
  ///
  /// - Parameter reader: A shell command that reads the standard output in place of the test.
  func start(_ words: String..., readBy reader: String? = nil) async throws -> RunningCommand {
    try await start(words, readBy: reader)
  }

  /// Starts the program `carillon`, and waits until the program has joined.
  func start(_ words: [String], readBy reader: String? = nil) async throws -> RunningCommand {
    let starts = clients.starts.count
    let running = try await RunningCommand.start(words, in: operators.directory, readBy: reader)
    try await clients.starts.wait(for: "a start", within: .seconds(40)) { $0.count > starts }
    return running
  }
}

/// Runs `body` on the thread of a scripted meeting, and closes the meeting's sockets.
func withScriptedMeeting(
  _ body: @escaping @Sendable (ScriptedMeeting) async throws -> Void
) async throws {
  try await withSocketThread("meeting") { directory, context, thread in
    let clients = try ScriptedGateway(in: directory, on: thread)
    defer { clients.close() }
    let operators = try ScriptedOperator(
      in: directory, client: clients.url, context: context, on: thread)
    defer { operators.close() }
    try await body(ScriptedMeeting(clients: clients, operators: operators))
  }
}
