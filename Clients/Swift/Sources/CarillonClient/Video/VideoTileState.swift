public import Foundation

/// What a tile shows. One object for the life of the tile, changed on main.
public final class VideoTileState: NSObject {
  /// Tells the tile from the others.
  public let tileId: Int

  /// Whose video it is.
  public let attendeeId: String

  /// In pixels; 0 before the first frame.
  public var videoStreamContentWidth: Int

  /// In pixels; 0 before the first frame.
  public var videoStreamContentHeight: Int

  /// Whether the video is paused, and why.
  public var pauseState: VideoPauseState

  /// Whether it is the local attendee's camera.
  public let isLocalTile: Bool

  /// Whether it is a content share.
  public let isContent: Bool

  public init(
    tileId: Int, attendeeId: String, videoStreamContentWidth: Int, videoStreamContentHeight: Int,
    pauseState: VideoPauseState, isLocalTile: Bool
  ) {
    self.tileId = tileId
    self.attendeeId = attendeeId
    self.videoStreamContentWidth = videoStreamContentWidth
    self.videoStreamContentHeight = videoStreamContentHeight
    self.pauseState = pauseState
    self.isLocalTile = isLocalTile
    isContent = DefaultModality(id: attendeeId).isOfType(type: .content)
  }
}
