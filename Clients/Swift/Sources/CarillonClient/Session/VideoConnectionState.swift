/// The states of the video part of a session.
enum VideoConnectionState: CaseIterable, Sendable {
  case connecting
  case started
  case stopped
  case failed
}
