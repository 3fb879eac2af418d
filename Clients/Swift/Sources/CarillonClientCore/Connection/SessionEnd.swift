internal import MeetingModel

/// How an application is told that its session is over.
struct SessionEnd: Hashable, Sendable {
  let state: ConnectionState
  let status: MeetingSessionStatusCode

  /// No connection could be made in time, or not again.
  static let givenUp = SessionEnd(state: .failedToConnect, status: .audioServiceUnavailable)

  private init(state: ConnectionState, status: MeetingSessionStatusCode) {
    (self.state, self.status) = (state, status)
  }

  /// - Parameter status: With which the gateway has ended the session; not worth resuming it for.
  init(_ status: Status) {
    switch MeetingSessionStatusCode(rawValue: status.sessionStatus?.rawValue ?? 0) ?? .unknown {
    case .audioServerHungup: self.init(state: .serverHungUp, status: .audioServerHungup)
    case .audioJoinedFromAnotherDevice:
      self.init(state: .disconnectedNormally, status: .audioJoinedFromAnotherDevice)
    // The gateway has said nothing that the facade has a word for.
    case .ok: self.init(state: .disconnectedAbnormally, status: .audioInternalServerError)
    case let code: self.init(state: .failedToConnect, status: code)
    }
  }
}
