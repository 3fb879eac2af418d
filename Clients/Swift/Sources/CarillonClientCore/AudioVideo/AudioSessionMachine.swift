/// The state machine of a session's audio. The machine turns reports of the connection into
/// outcomes.
///
/// The meaning of a report depends on the previous report. For example, a second "connected" is a
/// repetition, a change of the connection's health, or the end of an interruption.
struct AudioSessionMachine: Equatable, Sendable {
  /// The action that corresponds to the last report.
  enum Action: CaseIterable, Sendable {
    case initialize
    case connecting
    case finishConnecting
    case reconnecting
    case disconnecting
    case finishDisconnecting
    case fail
  }

  /// The meaning of a report for the application.
  enum Outcome: Equatable, Sendable {
    case started
    case dropped
    case restarted
    case reconnectCancelled
    case becamePoor
    case recovered
    /// The server ended the session, or the attendee joined from another device.
    case ended(MeetingSessionStatusCode)
    case failed(MeetingSessionStatusCode)
  }

  private(set) var action: Action
  private(set) var status: MeetingSessionStatusCode

  init(action: Action = .initialize, status: MeetingSessionStatusCode = .ok) {
    self.action = action
    self.status = status
  }

  /// Applies a report, and returns its outcomes in the order in which the application receives
  /// them.
  ///
  /// A repeated report has no outcome.
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

  /// Returns the outcome that observers get when the session ends.
  ///
  /// A normal disconnect only confirms that the application has stopped the session, so a normal
  /// disconnect has no outcome.
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
