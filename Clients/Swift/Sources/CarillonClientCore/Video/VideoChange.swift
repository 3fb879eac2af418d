/// A change of what the application wants of video.
enum VideoChange: Hashable, Sendable {
  /// Sends a video, instead of the one before if there was one.
  case publish(VideoDeclaration)
  /// Sends no video.
  case unpublish
  /// Receives the videos of others, or none.
  case receive(Bool)
  /// Receives the videos of these attendees so, and of those not any more; the first one ends the
  /// automatic subscriptions.
  case subscribe(addedOrUpdated: [String: VideoDemand], removed: [String])
  /// The user pauses a tile, or resumes it.
  case pause(tileId: Int, Bool)
}

/// How a remote video is to be received.
struct VideoDemand: Hashable, Sendable {
  let priority: VideoPriority
  /// The width in pixels; 0, with height 0, asks for the server's usual size.
  let width: Int
  /// The height in pixels.
  let height: Int
}

extension VideoDemand {
  init(_ configuration: VideoSubscriptionConfiguration) {
    self.init(
      priority: configuration.priority, width: configuration.targetResolution.width,
      height: configuration.targetResolution.height)
  }
}
