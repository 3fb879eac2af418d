import Foundation
import TestSupport
import Testing
import Wire

/// The Python client in a process that prints its events: `python -m carillon watch`.
struct PythonClient {
  struct Line: Decodable {
    var event: String
    var externalUserID: String?
    var roster: [Attendee]?

    enum CodingKeys: String, CodingKey {
      case event, roster
      case externalUserID = "external_user_id"
    }
  }

  struct Attendee: Decodable {
    var externalUserID: String
    var isMuted: Bool

    enum CodingKeys: String, CodingKey {
      case externalUserID = "external_user_id"
      case isMuted = "is_muted"
    }
  }

  let process: ServerProcess

  /// The interpreter in `CARILLON_PYTHON`, or the interpreter of the project's virtual environment.
  private static var interpreter: String {
    ProcessInfo.processInfo.environment["CARILLON_PYTHON"] ?? ".venv/bin/python"
  }

  static var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: interpreter)
  }

  init(_ name: String, in meeting: TestMeeting, isMuted: Bool) async throws {
    let installation = meeting.installation
    let attendee = try await installation.createAttendee(name, in: meeting.record)
    let tokenFile = "\(installation.directory)/\(name).token"
    try attendee.joinToken.write(toFile: tokenFile, atomically: true, encoding: .utf8)
    process = ServerProcess(
      name,
      [
        Self.interpreter, "-m", "carillon", "watch", "--gateway", installation.gateway.clientURL,
        "--meeting", meeting.record.meetingID, "--attendee", attendee.attendeeID,
        "--token-file", tokenFile, "--external-user-id", name,
      ] + (isMuted ? ["--mute"] : []),
      logPath: "\(installation.directory)/\(name).log", on: installation.thread)
  }

  /// Waits for an event of this kind, and returns the event's line and the roster in this line.
  func hears(_ event: String, about name: String? = nil) async throws -> (roster: [Attendee], Line)
  {
    var found: Line?
    try await eventually("\(process.name) to hear \(event)") {
      found = process.log.split(separator: "\n").lazy
        .compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        .first { $0.event == event && (name == nil || $0.externalUserID == name) }
      return found != nil
    }
    let line = try #require(found)
    return (line.roster ?? [], line)
  }
}
