import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

/// A primary meeting and its replicas.
struct Audience: Sendable {
  let installation: Installation
  let primary: V1.MeetingRecord
  let replicas: [V1.MeetingRecord]

  /// Creates a primary meeting and this number of replicas.
  static func make(_ replicas: Int, in installation: Installation) async throws -> Audience {
    let primary = try await installation.createMeeting()
    var all: [V1.MeetingRecord] = []
    for _ in 0..<replicas {
      all.append(try await installation.createReplica(of: primary))
    }
    return Audience(installation: installation, primary: primary, replicas: all)
  }

  /// Runs `body` with one started client for each name. `@` and a number after a name select the
  /// replica.
  ///
  ///     withClients("ada", "rob@0", "sam@1") { clients in … clients["rob"] … }
  func withClients(
    _ names: String..., body: ([String: Watcher]) async throws -> Void
  ) async throws {
    try await withClients(names[...], [:], body)
  }

  private func withClients(
    _ names: ArraySlice<String>, _ clients: [String: Watcher],
    _ body: ([String: Watcher]) async throws -> Void
  ) async throws {
    guard let first = names.first else { return try await body(clients) }
    let parts = first.split(separator: "@")
    let meeting = parts.count > 1 ? replicas[Int(parts[1]) ?? 0] : primary
    let name = String(parts[0])
    let record = try await installation.createAttendee(name, in: meeting)
    try await withRawClient(installation) { client in
      let started = try await client.start(record)
      let watcher = Watcher(client: client, record: record, started: started)
      var clients = clients
      clients[name] = watcher
      try await withClients(names.dropFirst(), clients, body)
    }
  }
}

/// A client of a primary meeting or of a replica. A watcher records everything that the watcher
/// receives.
struct Watcher: Sendable {
  let client: RawClient
  let record: V1.AttendeeRecord
  let started: V1.SessionStarted

  /// The external user ids in the roster, computed from the received events.
  var roster: Set<String> { Self.roster(after: client.answers.entries) }

  /// Waits until the roster has exactly these names.
  func sees(exactly names: Set<String>) async throws {
    try await client.answers.wait(for: "exactly \(names.sorted())") {
      Self.roster(after: $0) == names
    }
  }

  private static func roster(after answers: [RawClient.Answer]) -> Set<String> {
    var names: Set<String> = []
    for event in answers.flatMap(\.events).compactMap(\.event) {
      switch event {
      case .rosterSnapshot(let snapshot):
        names = Set(snapshot.entries.compactMap { $0.attendee?.externalUserID })
      case .presenceChanged(let changed):
        for change in changed.changes {
          guard let name = change.attendee?.externalUserID else { continue }
          if change.state == .joined { names.insert(name) } else { names.remove(name) }
        }
      default: break
      }
    }
    return names
  }

  /// Requests promotion as an attendee of the primary.
  func promote(as attendee: V1.AttendeeRecord) async throws -> RawClient.Answer {
    try await client.call(
      V1.AudioVideoFacadeMethods.promoteToPrimaryMeeting,
      V1.PromoteToPrimaryMeetingRequest(
        attendeeID: attendee.attendeeID, externalUserID: attendee.externalUserID,
        joinToken: attendee.joinToken))
  }

  /// Requests promotion and demotion in turn, `count` times each, without waiting for answers.
  ///
  /// - Returns: The ids of the calls.
  func flickers(as attendee: V1.AttendeeRecord, times count: Int) async throws -> [UInt64] {
    let promotion = V1.PromoteToPrimaryMeetingRequest(
      attendeeID: attendee.attendeeID, externalUserID: attendee.externalUserID,
      joinToken: attendee.joinToken)
    var calls: [UInt64] = []
    for _ in 0..<count {
      calls.append(
        try await client.send(
          V1.AudioVideoFacadeMethods.promoteToPrimaryMeeting.key, promotion.packed()))
      calls.append(
        try await client.send(V1.AudioVideoFacadeMethods.demoteFromPrimaryMeeting.key))
    }
    return calls
  }

  /// Requests demotion.
  ///
  /// - Returns: Whether the client was promoted.
  func demote() async throws -> Bool {
    let answer = try await client.call(
      V1.AudioVideoFacadeMethods.demoteFromPrimaryMeeting, V1.DemoteFromPrimaryMeetingRequest())
    return try V1.DemoteFromPrimaryMeetingReply(packed: answer.body).wasPromoted
  }

  /// Sends a data message, and expects a rejection because the client is not promoted.
  func isRefusedAMessage() async throws {
    let answer = try await client.call(
      V1.AudioVideoFacadeMethods.sendDataMessage,
      V1.SendDataMessageRequest(topic: "chat", data: Array("psst".utf8)))
    #expect(answer.status?.code == .failedPrecondition)
  }

  /// The received events about the end of a promotion.
  var demotions: [V1.DemotedFromPrimaryMeeting] { client.answers.entries.flatMap(\.demotions) }

  /// Waits until the client has received `count` events about the end of a promotion.
  func isDemoted(times count: Int = 1) async throws -> V1.DemotedFromPrimaryMeeting? {
    try await client.answers.wait(for: "\(count) demotions") {
      $0.flatMap(\.demotions).count >= count
    }.flatMap(\.demotions).last
  }

  /// The attendees in the received level events: all attendees, the attendees with a volume above
  /// zero, and the attendees with a signal strength.
  var levels: (told: Set<String>, loud: Set<String>, signals: Set<String>) {
    var (loud, signals, told) = (Set<String>(), Set<String>(), Set<String>())
    for case .levelsChanged(let levels)? in client.answers.entries.flatMap(\.events).map(\.event) {
      told.formUnion(levels.volumes.map(\.attendeeID))
      loud.formUnion(
        levels.volumes.filter { [.low, .medium, .high].contains($0.level) }.map(\.attendeeID))
      signals.formUnion(levels.signals.map(\.attendeeID))
    }
    return (told.union(signals), loud, signals)
  }

  /// The sender of each received message.
  var senders: [String] { client.messages.compactMap { $0.sender?.externalUserID } }
}

extension RawClient.Answer {
  fileprivate var demotions: [V1.DemotedFromPrimaryMeeting] {
    events.compactMap {
      if case .demotedFromPrimaryMeeting(let demoted) = $0.event { demoted } else { nil }
    }
  }
}
