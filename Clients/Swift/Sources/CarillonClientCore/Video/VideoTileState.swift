public import Foundation
import Synchronization

/// The state of a tile. A tile has one state object, which always has the current values.
public final class VideoTileState: NSObject, Sendable {
  private struct Values {
    var width: Int
    var height: Int
    var pauseState: VideoPauseState
  }

  /// The id of the tile.
  public let tileId: Int

  /// The id of the attendee who sends the video.
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

  /// Whether the tile is paused, and the reason for the pause.
  public var pauseState: VideoPauseState {
    get { values.withLock { $0.pauseState } }
    set { values.withLock { $0.pauseState = newValue } }
  }

  /// Whether the tile shows the local attendee's camera.
  public let isLocalTile: Bool

  /// Whether the tile shows a content share.
  public let isContent: Bool

  private let values: Mutex<Values>

  /// Creates a state, for tests of applications. Sizes are in pixels.
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

/// The pause states of a tile, with the reason of a pause.
public enum VideoPauseState: Int, CaseNamed {
  /// The tile is not paused.
  case unpaused = 0
  /// The application paused the tile.
  case pausedByUserRequest = 1
  /// The server paused the video because bandwidth is short.
  case pausedForPoorConnection = 2
}
