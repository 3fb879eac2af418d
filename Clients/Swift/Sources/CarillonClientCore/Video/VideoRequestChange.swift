/// A change of the application's video requests.
enum VideoRequestChange: Hashable, Sendable {
  /// Send a video instead of the previous video.
  case publish(VideoDeclaration)
  /// Send no video.
  case unpublish
  /// Start or stop receiving remote video.
  case receive(Bool)
  /// Add, update and remove subscriptions, by attendee id.
  ///
  /// The first change of subscriptions ends the automatic subscriptions.
  case subscribe(addedOrUpdated: [String: RemoteVideoRequest], removed: [String])
  /// Pause or resume a tile.
  case pause(tileId: Int, Bool)
}

/// The requested priority and size of a remote video.
struct RemoteVideoRequest: Hashable, Sendable {
  let priority: VideoPriority
  /// The width in pixels. Width 0 and height 0 together request the server's default size.
  let width: Int
  /// The height in pixels.
  let height: Int
}

extension RemoteVideoRequest {
  init(_ configuration: VideoSubscriptionConfiguration) {
    self.init(
      priority: configuration.priority, width: configuration.targetResolution.width,
      height: configuration.targetResolution.height)
  }
}
