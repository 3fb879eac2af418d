// swift-format-ignore-file
// The blocks between the marks are exact copies of the code in the guide.

import CarillonClient
import Foundation

/// The code of the guide `content_share.md` for a viewer of the content.
class ContentViewer: NSObject, VideoTileObserver {
  let meetingSession: MeetingSession
  let videoView: VideoRenderView

  init(meetingSession: MeetingSession, videoView: VideoRenderView) {
    self.meetingSession = meetingSession
    self.videoView = videoView
    super.init()
    watch(self)
  }

  func watch(_ observer: VideoTileObserver) {
// Guide: content_share.md
// Get reference to current MeetingSession object.
// Add VideoTileObserver instance to receive video streams.
meetingSession.audioVideo.addVideoTileObserver(observer: observer)
// End of the block
  }

// Guide: content_share.md
// Your VideoTileObserver implementation
func videoTileDidAdd(tileState: VideoTileState) {
    if(tileState.isContent) {
        meetingSession.audioVideo.bindVideoView(videoView: videoView, 
                                                tileId: tileState.tileId)
    }
}
// End of the block

  func videoTileDidRemove(tileState: VideoTileState) {
    meetingSession.audioVideo.unbindVideoView(tileId: tileState.tileId)
  }

  func videoTileDidPause(tileState: VideoTileState) {}

  func videoTileDidResume(tileState: VideoTileState) {}

  func videoTileSizeDidChange(tileState: VideoTileState) {}
}
