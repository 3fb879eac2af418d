// swift-format-ignore-file
// The blocks between the marks are exact copies of the code in the guide.

import CarillonClient
import Foundation

/// The code of the guide `video_pagination.md`: remote videos in pages of four, with active
/// speakers first. The user pauses and resumes videos.
class VideoPagination: NSObject {
// Guide: video_pagination.md
// How many remote videos to render at most per page
private let remoteVideoTileCountPerPage = 4

// Index of the page that the user is currently viewing
private var currentRemoteVideoPageIndex = 0

// An ordered list of VideoTileState for remote videos
private var remoteVideoTileStates: [VideoTileState] = []

// Ids of the video tiles that user paused manually
private var userPausedVideoTileIds: Set<Int> = Set()
// End of the block

  private let audioVideoFacade: AudioVideoFacade

  init(audioVideoFacade: AudioVideoFacade) {
    self.audioVideoFacade = audioVideoFacade
    super.init()
    audioVideoFacade.addVideoTileObserver(observer: self)
    audioVideoFacade.addActiveSpeakerObserver(
      policy: DefaultActiveSpeakerPolicy(), observer: self)
  }

// Guide: video_pagination.md
private var remoteVideoStatesOnCurrentPage: [VideoTileState] {
    let remoteVideoStartIndex = currentRemoteVideoPageIndex * remoteVideoTileCountPerPage
    let remoteVideoEndIndex = min(remoteVideoTileStates.count, remoteVideoStartIndex + remoteVideoTileCountPerPage) - 1

    if remoteVideoEndIndex < remoteVideoStartIndex {
        return []
    }
    return Array(remoteVideoTileStates[remoteVideoStartIndex...remoteVideoEndIndex])
}

private var remoteVideoStatesNotOnCurrentPage: [VideoTileState] {
    let remoteVideoAttendeeIdsOnCurrentPage = Set(remoteVideoStatesOnCurrentPage.map { $0.attendeeId })
    return remoteVideoTileStates.filter { !remoteVideoAttendeeIdsOnCurrentPage.contains($0.attendeeId) }
}
// End of the block

// Guide: video_pagination.md
func refreshVideoUI() {
    for remoteVideoTileState in remoteVideoStatesOnCurrentPage {
        if !userPausedVideoTileIds.contains(remoteVideoTileState.tileId) {
            audioVideoFacade.resumeRemoteVideoTile(tileId: remoteVideoTileState.tileId)
        }
    }
    for remoteVideoTileState in remoteVideoStatesNotOnCurrentPage {
        audioVideoFacade.pauseRemoteVideoTile(tileId: remoteVideoTileState.tileId)
    }
}

func onPauseToggled(tag: Int, paused: Bool) {
    if let tileState = getVideoTileState(for: IndexPath(item: tag, section: 0)), !tileState.isLocalTile {
        if paused {
            userPausedVideoTileIds.insert(tileState.tileId)
            audioVideoFacade.pauseRemoteVideoTile(tileId: tileState.tileId)
        } else {
            userPausedVideoTileIds.remove(tileState.tileId)
            audioVideoFacade.resumeRemoteVideoTile(tileId: tileState.tileId)
        }
    }
}
// End of the block

  private func getVideoTileState(for indexPath: IndexPath) -> VideoTileState? {
    let states = remoteVideoStatesOnCurrentPage
    return states.indices.contains(indexPath.item) ? states[indexPath.item] : nil
  }

  func turn(to page: Int) {
    currentRemoteVideoPageIndex = page
    refreshVideoUI()
  }

  var attendeeIdsOnCurrentPage: [String] { remoteVideoStatesOnCurrentPage.map { $0.attendeeId } }

// Guide: video_pagination.md
func updateRemoteVideoStatesBasedOnActiveSpeakers(activeSpeakers: [AttendeeInfo]) {
    let activeSpeakerIds = Set(activeSpeakers.map { $0.attendeeId })

    // Cast to NSArray to make sure the sorting implementation is stable
    remoteVideoTileStates = (remoteVideoTileStates as NSArray).sortedArray(options: .stable,
                                                                           usingComparator: { (lhs, rhs) -> ComparisonResult in
        let lhsIsActiveSpeaker = activeSpeakerIds.contains((lhs as? VideoTileState)?.attendeeId ?? "")
        let rhsIsActiveSpeaker = activeSpeakerIds.contains((rhs as? VideoTileState)?.attendeeId ?? "")

        if lhsIsActiveSpeaker == rhsIsActiveSpeaker {
            return ComparisonResult.orderedSame
        } else if lhsIsActiveSpeaker && !rhsIsActiveSpeaker {
            return ComparisonResult.orderedAscending
        } else {
            return ComparisonResult.orderedDescending
        }
    }) as? [VideoTileState] ?? []
}

func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo]) {
    updateRemoteVideoStatesBasedOnActiveSpeakers(activeSpeakers: attendeeInfo)
    refreshVideoUI()
}
// End of the block

  private func add(_ tileState: VideoTileState) {
    remoteVideoTileStates.append(tileState)
  }

  private func remove(_ tileState: VideoTileState) {
    remoteVideoTileStates.removeAll { $0.tileId == tileState.tileId }
  }
}

extension VideoPagination: ActiveSpeakerObserver {
  var observerId: String { return "pagination" }
}

extension VideoPagination: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    guard !tileState.isLocalTile else { return }
    add(tileState)
    refreshVideoUI()
  }

  func videoTileDidRemove(tileState: VideoTileState) {
    remove(tileState)
    refreshVideoUI()
  }

  func videoTileDidPause(tileState: VideoTileState) {}

  func videoTileDidResume(tileState: VideoTileState) {}

  func videoTileSizeDidChange(tileState: VideoTileState) {}
}
