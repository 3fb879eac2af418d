/// Makes tiles out of the frames and pauses that the media side reports.
public protocol VideoTileController: VideoTileControllerFacade {
  /// Takes a report. No frame and no pause: the video ended.
  ///
  /// - Parameter attendeeId: nil for the local attendee.
  func onReceiveFrame(
    frame: VideoFrame?, videoId: Int, attendeeId: String?, pauseState: VideoPauseState)
}
