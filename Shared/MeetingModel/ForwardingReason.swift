/// The reason for a forwarding decision about one video source and one receiver.
public enum ForwardingReason: CaseIterable, Hashable, Sendable {
  /// The server forwards the highest available layer within the receiver's target resolution.
  case wanted
  /// The server forwards a lower layer, because the receiver lacks bandwidth for a higher layer.
  case lowered
  /// The server forwards nothing, because the receiver lacks bandwidth.
  case pausedForBandwidth
  /// The server forwards nothing, because the user paused the tile.
  case pausedByUser
  /// The server forwards nothing, because the publisher currently sends no layer.
  case notFlowing
  /// The server forwards nothing, because the receiver did not subscribe to the source.
  case notSubscribed
  /// The server does not forward the video, because the meeting has more videos than a receiver
  /// gets without a subscription.
  case overLimit
  /// The server does not forward the video, because the receiver switched remote video off or is
  /// not allowed to receive video.
  case receivingOff
  /// The server forwards nothing, because the receiver cannot decode the codec of the source.
  case cannotDecode

  /// The pause state of the tile; `nil` if there is no tile.
  public var pauseState: TilePauseState? {
    switch self {
    case .wanted, .lowered, .notFlowing: .unpaused
    case .pausedForBandwidth, .cannotDecode: .pausedForPoorConnection
    case .pausedByUser: .pausedByUserRequest
    case .notSubscribed, .overLimit, .receivingOff: nil
    }
  }
}
