import CarillonClient
import Foundation

/// The code of sections 4 to 7 of the guide `api_overview.md` in one class, as in many
/// applications. The class starts and stops a meeting, keeps the roster, follows the active
/// speaker, and mutes.
class MeetingModel: NSObject {
  let meetingSession: MeetingSession
  let logger: Logger
  var roster: [String: AttendeeInfo] = [:]
  var mutedAttendees: Set<String> = []
  var activeSpeakerIds: [String] = []
  var isReconnecting = false

  init(meetingSession: MeetingSession) {
    self.meetingSession = meetingSession
    self.logger = meetingSession.logger
    super.init()
  }

  func startMeeting() {
    meetingSession.audioVideo.addAudioVideoObserver(observer: self)
    meetingSession.audioVideo.addRealtimeObserver(observer: self)
    meetingSession.audioVideo.addActiveSpeakerObserver(
      policy: DefaultActiveSpeakerPolicy(), observer: self)
    do {
      try meetingSession.audioVideo.start(callKitEnabled: false)
    } catch PermissionError.audioPermissionError {
      logger.error(msg: "The microphone may not be used")
    } catch {
      logger.error(msg: "Could not start: \(error.localizedDescription)")
    }
  }

  func startListening() throws {
    try meetingSession.audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(audioDeviceCapabilities: .outputOnly))
  }

  func endMeeting() {
    meetingSession.audioVideo.stop()
    meetingSession.audioVideo.removeAudioVideoObserver(observer: self)
    meetingSession.audioVideo.removeRealtimeObserver(observer: self)
    meetingSession.audioVideo.removeActiveSpeakerObserver(observer: self)
  }

  func setMute(isMuted: Bool) {
    let isDone =
      isMuted
      ? meetingSession.audioVideo.realtimeLocalMute()
      : meetingSession.audioVideo.realtimeLocalUnmute()
    if isDone {
      logger.info(msg: "Microphone is \(isMuted ? "muted" : "on")")
    }
  }
}

extension MeetingModel: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) {
    isReconnecting = reconnecting
  }

  func audioSessionDidStart(reconnecting: Bool) {
    isReconnecting = false
  }

  func audioSessionDidDrop() {
    logger.info(msg: "The connection was lost")
  }

  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    switch sessionStatus.statusCode {
    case .ok:
      logger.info(msg: "Left")
    case .audioServerHungup, .audioCallEnded:
      logger.info(msg: "The meeting is over")
    case .audioJoinedFromAnotherDevice:
      logger.info(msg: "Joined from elsewhere")
    default:
      logger.error(msg: "Ended with \(sessionStatus.statusCode.description)")
    }
  }

  func audioSessionDidCancelReconnect() {
    isReconnecting = false
  }

  func connectionDidRecover() {}

  func connectionDidBecomePoor() {}

  func videoSessionDidStartConnecting() {}

  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {
    if sessionStatus.statusCode == .videoAtCapacityViewOnly {
      logger.info(msg: "Watching only")
    }
  }

  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}

  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {}

  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {}

  func cameraSendAvailabilityDidChange(available: Bool) {}
}

extension MeetingModel: RealtimeObserver {
  func volumeDidChange(volumeUpdates: [VolumeUpdate]) {
    for update in volumeUpdates where update.volumeLevel == .high {
      logger.debug(debugFunction: { "\(update.attendeeInfo.externalUserId) is loud" })
    }
  }

  func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {
    for update in signalUpdates where update.signalStrength == SignalStrength.none {
      logger.default(msg: "\(update.attendeeInfo.externalUserId) has no signal")
    }
  }

  func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) {
    for attendee in attendeeInfo {
      let modality = DefaultModality(id: attendee.attendeeId)
      guard !modality.isOfType(type: .content) else { continue }
      roster[attendee.attendeeId] = attendee
    }
  }

  func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) {
    attendeeInfo.forEach { roster[$0.attendeeId] = nil }
  }

  func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) {
    attendeeInfo.forEach { roster[$0.attendeeId] = nil }
  }

  func attendeesDidMute(attendeeInfo: [AttendeeInfo]) {
    mutedAttendees.formUnion(attendeeInfo.map { $0.attendeeId })
  }

  func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) {
    mutedAttendees.subtract(attendeeInfo.map { $0.attendeeId })
  }
}

extension MeetingModel: ActiveSpeakerObserver {
  var observerId: String { return "meeting-model" }

  var scoresCallbackIntervalMs: Int { return 5000 }

  func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo]) {
    activeSpeakerIds = attendeeInfo.map { $0.attendeeId }
  }

  func activeSpeakerScoreDidChange(scores: [AttendeeInfo: Double]) {
    let list = scores.sorted { $0.value > $1.value }.map { "\($0.key.externalUserId): \($0.value)" }
    logger.info(msg: list.joined(separator: ", "))
  }
}
