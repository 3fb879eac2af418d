internal import CarillonClient
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Trials

/// A stage and its audience: a primary meeting, two replicas, and their attendees.
final class DemoReplicaMeetings: Sendable {
  let primary: ControlAPIClient.Created

  /// The attendees of the primary meeting.
  let players: [DemoMediaClient]

  /// Rob and Rita, who join the first replica, and Sam and Sue, who join the second replica.
  let watchers: [DemoMediaClient]

  /// The relay of Rob's connection; `nil` if the demo cannot cut the connection.
  let relay: ByteRelay?

  /// Paula's credentials for the primary meeting. The demo promotes an attendee of the audience
  /// with these credentials.
  let paula: MeetingSessionCredentials

  init(
    _ primary: ControlAPIClient.Created, players: [DemoMediaClient], watchers: [DemoMediaClient],
    relay: ByteRelay?, paula: MeetingSessionCredentials
  ) {
    (self.primary, self.players, self.watchers) = (primary, players, watchers)
    (self.relay, self.paula) = (relay, paula)
  }

  var everybody: [DemoMediaClient] { players + watchers }
  var rob: DemoMediaClient { watchers[0] }
  var rita: DemoMediaClient { watchers[1] }

  /// All attendees except Rob.
  var others: [DemoMediaClient] { everybody.filter { $0 !== rob } }

  /// Returns the ids of the attendees on the stage, with Paula or without her.
  func stage(withPaula: Bool) -> Set<String> {
    Set(players.map(\.attendeeID) + (withPaula ? [paula.attendeeId] : []))
  }

  /// Waits until every client sees exactly the attendees on the stage.
  func requireStage(withPaula: Bool, within limit: Duration) async throws {
    let expected = stage(withPaula: withPaula)
    for watcher in everybody {
      try await watcher.wait("to see the attendees of the primary", within: limit) {
        $0.present == expected
      }
    }
  }

  func end() {
    for watcher in everybody { watcher.stop() }
    relay?.close()
  }
}

extension DemoMediaClient {
  /// The attendees that the client sees, computed from the received events.
  var present: Set<String> {
    journal.entries(from: 0).reduce(into: []) { present, entry in
      switch entry.event {
      case .came(let id): present.insert(id)
      case .went(let id): present.remove(id)
      default: break
      }
    }
  }

  /// Returns how often the client received an event.
  func count(of event: DemoMediaEvent, since mark: Int = 0) -> Int {
    journal.entries(from: mark).count { $0.event == event }
  }

  /// Waits until a condition is true.
  func wait(
    _ what: String, within limit: Duration, until holds: (DemoMediaClient) -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + limit
    while !holds(self) {
      guard .now < deadline else {
        let heard = journal.entries(from: 0).suffix(12).map { "\($0.event)" }
        throw CommandFailure(
          code: "DEADLINE_EXCEEDED",
          message: "\(name) waited in vain for \(limit) \(what); it last received "
            + "[\(heard.joined(separator: ", "))].")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
