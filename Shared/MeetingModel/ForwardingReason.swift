/// Why a receiver gets what it gets of one video source.
public enum ForwardingReason: CaseIterable, Hashable, Sendable {
  /// It gets the highest layer that its target resolution asks for and that flows.
  case wanted
  /// It gets a lower layer, for bandwidth.
  case lowered
  /// It gets nothing, for bandwidth.
  case pausedForBandwidth
  /// It gets nothing: the user paused the tile.
  case pausedByUser
  /// It gets nothing: the publisher sends no layer now.
  case notFlowing
  /// It gets nothing, because it did not ask for the source.
  case notSubscribed
  /// It gets nothing: there are more videos than come without a subscription.
  case overLimit
  /// It gets nothing: the receiver has remote video off, or may not receive it.
  case receivingOff

  /// What the tile looks like; `nil`: there is none.
  public var pauseState: TilePauseState? {
    switch self {
    case .wanted, .lowered, .notFlowing: .unpaused
    case .pausedForBandwidth: .pausedForPoorConnection
    case .pausedByUser: .pausedByUserRequest
    case .notSubscribed, .overLimit, .receivingOff: nil
    }
  }
}
