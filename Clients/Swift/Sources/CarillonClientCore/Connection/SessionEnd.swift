internal import MeetingModel

/// The connection state and the status with which a session ends, as the application receives them.
struct SessionEnd: Hashable, Sendable {
  let state: ConnectionState
  let status: MeetingSessionStatusCode

  /// The end of a session that did not connect or reconnect before its timeout.
  static let givenUp = SessionEnd(state: .failedToConnect, status: .audioServiceUnavailable)

  private init(state: ConnectionState, status: MeetingSessionStatusCode) {
    (self.state, self.status) = (state, status)
  }

  /// - Parameter status: The status with which the gateway ended the session permanently.
  init(_ status: Status) {
    switch MeetingSessionStatusCode(rawValue: status.sessionStatus?.rawValue ?? 0) ?? .unknown {
    case .audioServerHungup: self.init(state: .serverHungUp, status: .audioServerHungup)
    case .audioJoinedFromAnotherDevice:
      self.init(state: .disconnectedNormally, status: .audioJoinedFromAnotherDevice)
    // The gateway's status gives no reason that the facade knows.
    case .ok: self.init(state: .disconnectedAbnormally, status: .audioInternalServerError)
    case let code: self.init(state: .failedToConnect, status: code)
    }
  }
}
