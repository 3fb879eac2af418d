/// The states of a session's audio: turns what the connection reports into what it means.
///
/// Reports only have a meaning together with the one before, so that, for example, a second
/// "connected" is either nothing, a change of health, or the end of an interruption.
struct AudioSessionMachine: Equatable, Sendable {
  /// What the last report amounted to.
  enum Action: CaseIterable, Sendable {
    case initialize
    case connecting
    case finishConnecting
    case reconnecting
    case disconnecting
    case finishDisconnecting
    case fail
  }

  /// What a report means to the application.
  enum Outcome: Equatable, Sendable {
    case started
    case dropped
    case restarted
    case reconnectCancelled
    case becamePoor
    case recovered
    /// Ended by the server or from elsewhere.
    case ended(MeetingSessionStatusCode)
    case failed(MeetingSessionStatusCode)
  }

  private(set) var action: Action
  private(set) var status: MeetingSessionStatusCode

  init(action: Action = .initialize, status: MeetingSessionStatusCode = .ok) {
    self.action = action
    self.status = status
  }

  /// Takes a report, and gives what it means in the order in which the application hears it.
  /// A repetition means nothing.
  mutating func receive(
    _ state: ConnectionState, status nextStatus: MeetingSessionStatusCode
  ) -> [Outcome] {
    let next = Self.action(for: state, status: nextStatus)
    defer {
      action = next
      status = nextStatus
    }
    switch action {
    case .initialize, .disconnecting, .finishDisconnecting, .fail:
      return []
    case .connecting:
      return next == .finishConnecting ? [.started] : Self.ending(next, nextStatus)
    case .finishConnecting:
      return fromConnected(to: next, nextStatus)
    case .reconnecting:
      return Self.fromReconnecting(to: next, nextStatus)
    }
  }

  private func fromConnected(
    to next: Action, _ nextStatus: MeetingSessionStatusCode
  ) -> [Outcome] {
    switch (next, status, nextStatus) {
    case (.finishConnecting, .ok, .networkBecomePoor): [.becamePoor]
    case (.finishConnecting, .networkBecomePoor, .ok): [.recovered]
    case (.finishConnecting, _, _): []
    case (.reconnecting, _, _): [.dropped]
    default: Self.ending(next, nextStatus)
    }
  }

  private static func fromReconnecting(
    to next: Action, _ nextStatus: MeetingSessionStatusCode
  ) -> [Outcome] {
    switch next {
    case .finishConnecting: [.restarted]
    case .finishDisconnecting, .fail: [.reconnectCancelled] + ending(next, nextStatus)
    case .initialize, .connecting, .reconnecting, .disconnecting: []
    }
  }

  /// A plain disconnect is the echo of the application's own stop and ends nothing.
  private static func ending(
    _ next: Action, _ nextStatus: MeetingSessionStatusCode
  ) -> [Outcome] {
    switch next {
    case .finishDisconnecting: endsFromOutside(nextStatus) ? [.ended(nextStatus)] : []
    case .fail: [.failed(nextStatus)]
    case .initialize, .connecting, .finishConnecting, .reconnecting, .disconnecting: []
    }
  }

  private static func action(
    for state: ConnectionState, status: MeetingSessionStatusCode
  ) -> Action {
    guard !endsFromOutside(status) else { return .finishDisconnecting }
    return switch state {
    case .connecting: .connecting
    case .connected: .finishConnecting
    case .reconnecting: .reconnecting
    case .disconnecting: .disconnecting
    case .disconnectedNormally: .finishDisconnecting
    case .disconnectedAbnormally, .serverHungUp, .failedToConnect: .fail
    }
  }

  private static func endsFromOutside(_ status: MeetingSessionStatusCode) -> Bool {
    status == .audioServerHungup || status == .audioJoinedFromAnotherDevice
  }
}
