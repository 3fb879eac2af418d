import BrowserTrials
import MeetingViews
import TestSupport
import Wire

/// A client in an ``AudienceHistory``. The client uses the interface of browsers.
struct BrowserWatcher: AudienceClient {
  private let client: BrowserClient

  /// The names that the client sees in addition to the roster. A client of a replica sees itself.
  private let own: Set<String>

  /// Connects and joins.
  ///
  /// - Parameter isInReplica: Whether the attendee belongs to a replica.
  init(
    _ record: V1.AttendeeRecord, isInReplica: Bool, at gateway: Installation.Gateway
  ) async throws {
    client = BrowserClient(
      url: "ws://127.0.0.1:\(gateway.restPort)/control/\(record.meetingID)",
      token: record.joinToken)
    own = isInReplica ? [record.externalUserID] : []
    try await client.connect()
    try await client.join()
    try await client.hear("it is in the meeting") { $0.type == .audioStreamIDInfo }
  }

  /// Checks a condition after each received frame until the condition holds.
  private func waits(_ what: String, until holds: @escaping @Sendable () -> Bool) async throws {
    guard !holds() else { return }
    try await client.hear(what) { _ in holds() }
  }

  func sees(exactly names: Set<String>) async throws {
    let (client, own) = (client, own)
    try await waits("exactly \(names.sorted()) are there, not \(client.roster.sorted())") {
      client.roster.subtracting(own) == names
    }
  }

  func becomes(_ attendee: V1.AttendeeRecord) async throws -> Bool {
    let mark = client.journal.count
    try await client.send(.primaryMeetingJoin) {
      $0.primaryMeetingJoin = .init(
        credentials: .init(
          attendeeID: attendee.attendeeID, externalUserID: attendee.externalUserID,
          joinToken: attendee.joinToken))
    }
    let answer = try await client.hear("it is answered", since: mark) {
      $0.type == .primaryMeetingJoinAck
    }
    guard let status = answer.error?.status, status != 0 else { return true }
    guard status == 503 else { throw Refused(status: status) }
    return false
  }

  func goesBack() async throws -> Bool? {
    try await client.send(.primaryMeetingLeave) { $0.primaryMeetingLeave = .init() }
    return nil
  }

  func speaks(_ text: String, expecting isTaken: Bool) async throws -> Bool {
    let mark = client.journal.count
    try await client.write(text, on: "chat")
    // The gateway does not confirm an accepted message to the browser that sent it.
    guard !isTaken else { return true }
    try await client.hear("its message was refused", since: mark) { $0.type == .notification }
    return false
  }

  func reads(exactly texts: [String]) async throws {
    let client = client
    try await waits("messages: \(texts)") { client.texts(on: "chat").count >= texts.count }
    let got = client.texts(on: "chat")
    guard got == texts else { throw Differs(got: got, expected: texts) }
  }

  func knows(ofDemotions count: Int) async throws {
    let client = client
    try await waits("\(count) demotions") { Self.demotions(of: client) >= count }
  }

  var demotionCount: Int { Self.demotions(of: client) }

  private static func demotions(of client: BrowserClient) -> Int {
    client.frames.count { $0.type == .primaryMeetingLeave }
  }

  func leaves() async throws {
    try await client.leave()
    try await client.hear("it may go") { $0.type == .leaveAck }
    await client.hangUp()
  }

  func hearsItsEnd() async throws {
    try await client.hear("its session is over") { $0.type == .audioStatus }
  }

  func vanishes() async { await client.hangUp() }

  struct Refused: Error {
    let status: UInt32
  }

  struct Differs: Error {
    let got: [String]
    let expected: [String]
  }
}
