public import Foundation
import Synchronization

/// What a tile shows. One object for the life of the tile, and always as the tile is now.
public final class VideoTileState: NSObject, Sendable {
  private struct Values {
    var width: Int
    var height: Int
    var pauseState: VideoPauseState
  }

  /// Tells the tile from the others.
  public let tileId: Int

  /// Whose video it is.
  public let attendeeId: String

  /// The width in pixels; 0 before the first frame.
  public var videoStreamContentWidth: Int {
    get { values.withLock { $0.width } }
    set { values.withLock { $0.width = newValue } }
  }

  /// The height in pixels; 0 before the first frame.
  public var videoStreamContentHeight: Int {
    get { values.withLock { $0.height } }
    set { values.withLock { $0.height = newValue } }
  }

  /// Whether the video is paused, and why.
  public var pauseState: VideoPauseState {
    get { values.withLock { $0.pauseState } }
    set { values.withLock { $0.pauseState = newValue } }
  }

  /// Whether it is the local attendee's camera.
  public let isLocalTile: Bool

  /// Whether it is a content share.
  public let isContent: Bool

  private let values: Mutex<Values>

  /// Makes a state, for tests of applications. Sizes are in pixels.
  public init(
    tileId: Int, attendeeId: String, videoStreamContentWidth: Int, videoStreamContentHeight: Int,
    pauseState: VideoPauseState, isLocalTile: Bool
  ) {
    self.tileId = tileId
    self.attendeeId = attendeeId
    self.isLocalTile = isLocalTile
    isContent = DefaultModality(id: attendeeId).isOfType(type: .content)
    values = Mutex(
      Values(
        width: videoStreamContentWidth, height: videoStreamContentHeight, pauseState: pauseState))
  }
}

/// Whether a tile shows its video, and why not.
public enum VideoPauseState: Int, CaseNamed {
  /// The video is shown.
  case unpaused = 0
  /// The application paused the tile.
  case pausedByUserRequest = 1
  /// The server spared the video for want of bandwidth.
  case pausedForPoorConnection = 2
}
