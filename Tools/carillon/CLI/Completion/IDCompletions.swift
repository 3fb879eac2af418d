internal import Bus
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Wire

/// Shell completions of ids; empty if no gateway answers in time.
enum IDCompletions {
  /// The timeout. It is short, because the user waits for the completions.
  private static let patience: Duration = .seconds(1)

  /// Returns the ids of the meetings.
  static func meetings(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
    let reply = await ask(
      words, V1.OperatorMethods.listMeetings, V1.ListMeetingsRequest(limit: 1000))
    return reply?.meetings.map(\.meetingID) ?? []
  }

  /// Returns the ids of the attendees in the meeting on the command line.
  static func attendees(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
    guard let meeting = words.first(where: { UUID(uuidString: $0) != nil }) else { return [] }
    let reply = await ask(
      words, V1.OperatorMethods.listAttendees,
      V1.ListAttendeesRequest(meetingID: meeting, limit: 1000))
    return reply?.attendees.map(\.attendeeID) ?? []
  }

  private static func ask<Request, Reply>(
    _ words: [String], _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async -> Reply? {
    let places = RuntimeDirectory.places(
      requested: runtimeDirectory(in: words), environment: ProcessInfo.processInfo.environment)
    guard let gateway = try? RunningGateway.find(in: places) else { return nil }
    let connection = OperatorConnection()
    try? await connection.open(gateway.operatorEndpoint)
    let reply = try? await connection.call(method, request, within: patience)
    await connection.close()
    return reply
  }

  /// Returns the value of `--runtime-dir` on an unfinished command line.
  static func runtimeDirectory(in words: [String]) -> String? {
    let flag = "--runtime-dir"
    if let word = words.last(where: { $0.hasPrefix("\(flag)=") }) {
      return String(word.dropFirst(flag.count + 1))
    }
    guard let index = words.lastIndex(of: flag), index + 1 < words.count else { return nil }
    return words[index + 1]
  }
}
