/// Why a receiver gets what it gets of one source.
enum ForwardingReason: CaseIterable, Hashable, Sendable {
  /// The highest layer that its target resolution asks for and that flows.
  case wanted
  /// A lower layer, for bandwidth.
  case lowered
  /// Nothing, for bandwidth.
  case pausedForBandwidth
  /// Nothing: the user paused the tile.
  case pausedByUser
  /// Nothing: the publisher sends no layer now.
  case notFlowing
  /// Nothing: not asked for.
  case notSubscribed
  /// Nothing: more videos than come without a subscription.
  case overLimit
  /// Nothing: the receiver has remote video off, or may not receive it.
  case receivingOff

  /// What the tile looks like; `nil`: there is none.
  var pauseState: PauseState? {
    switch self {
    case .wanted, .lowered, .notFlowing: .unpaused
    case .pausedForBandwidth: .pausedForPoorConnection
    case .pausedByUser: .pausedByUserRequest
    case .notSubscribed, .overLimit, .receivingOff: nil
    }
  }
}
