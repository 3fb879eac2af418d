internal import ArgumentParser
internal import Foundation
internal import MeetingModel
internal import Output
internal import Storage

/// The command `carillon attendance`.
struct AttendanceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attendance",
    abstract: "Shows who was in a meeting and when, during the meeting and after its end.")

  @Argument(
    help: "The meeting's id.", completion: .custom(IDCompletions.meetings),
    transform: { text in try MeetingID(text) })
  var meeting: MeetingID
  @OptionGroup var records: MeetingRecordsOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let store = try records.store()
      var sessions: [AttendanceSession] = []
      var position: Int64? = 0
      while let after = position {
        let page = try await store.attendance(of: meeting, after: after, limit: 1_000)
        sessions += page.elements
        position = page.next
      }
      output.print(sessions.map { OutputRecord($0) })
    }
  }
}

extension OutputRecord {
  /// Creates the record of one session of an attendee.
  fileprivate init(_ session: AttendanceSession) {
    self = [
      "attendee_id": .text(session.attendee.text),
      "external_user_id": .text(session.externalUserID.text),
      "joined_at_ms": .integer(Int(session.joinedAt)),
      "left_at_ms": session.left.map { .integer(Int($0.at)) } ?? .null,
      "reason": session.left.map { .text($0.reason.rawValue) } ?? .null,
      "display_name": .text(session.displayName?.text ?? ""),
    ]
  }
}
