/// Hears of tiles. All calls come on main.
public protocol VideoTileObserver: AnyObject {
  /// A video is there to be bound to a view.
  func videoTileDidAdd(tileState: VideoTileState)

  /// A video ended.
  func videoTileDidRemove(tileState: VideoTileState)

  /// A video was paused, by the user or by the network.
  func videoTileDidPause(tileState: VideoTileState)

  /// A video goes on.
  func videoTileDidResume(tileState: VideoTileState)

  /// A video has another size.
  func videoTileSizeDidChange(tileState: VideoTileState)
}
