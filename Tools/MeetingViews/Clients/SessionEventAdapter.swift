internal import CarillonClientCore

/// Converts the callbacks of one session to events.
final class SessionEventAdapter: Sendable {
  let onEvent: @Sendable (ObservedEvent) -> Void
  private let onLevel: @Sendable (AttendeeLevelChange) -> Void

  init(
    onEvent: @escaping @Sendable (ObservedEvent) -> Void,
    onLevel: @escaping @Sendable (AttendeeLevelChange) -> Void
  ) {
    self.onEvent = onEvent
    self.onLevel = onLevel
  }

  private func tell(_ change: ObservedEvent.Change, _ attendees: [AttendeeInfo]) {
    for attendee in attendees.sorted() { onEvent(.attendee(change, AttendeeName(attendee))) }
  }
}

extension AttendeeName {
  fileprivate init(_ attendee: AttendeeInfo) {
    self.init(
      attendeeID: attendee.attendeeId, externalUserID: attendee.externalUserId,
      displayName: attendee.ownName)
  }
}

extension SessionEventAdapter: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) {}

  func audioSessionDidStart(reconnecting: Bool) {
    onEvent(reconnecting ? .reconnected : .started)
  }

  func audioSessionDidDrop() { onEvent(.reconnecting) }

  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    let code = sessionStatus.statusCode
    onEvent(.ended(status: Int(code.rawValue), name: "\(code)"))
  }

  func audioSessionDidCancelReconnect() {}
  func connectionDidRecover() {}
  func connectionDidBecomePoor() {}
  func videoSessionDidStartConnecting() {}
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {}
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {}
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {}
  func cameraSendAvailabilityDidChange(available: Bool) {}
}

extension SessionEventAdapter: RealtimeObserver {
  func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) { tell(.joined, attendeeInfo) }
  func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) { tell(.left, attendeeInfo) }
  func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) { tell(.dropped, attendeeInfo) }
  func attendeesDidMute(attendeeInfo: [AttendeeInfo]) { tell(.muted, attendeeInfo) }
  func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) { tell(.unmuted, attendeeInfo) }

  func volumeDidChange(volumeUpdates: [VolumeUpdate]) {
    for update in volumeUpdates {
      onLevel(.volume(update.volumeLevel, AttendeeName(update.attendeeInfo)))
    }
  }

  func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {
    for update in signalUpdates {
      onLevel(.signal(update.signalStrength, AttendeeName(update.attendeeInfo)))
    }
  }
}

extension SessionEventAdapter: DataMessageObserver, DataMessageLogObserver {
  func dataMessageDidReceived(dataMessage: DataMessage) {
    let message = DisplayedDataMessage(dataMessage)
    onEvent(dataMessage.throttled ? .throttled(message) : .message(message))
  }

  func dataMessagesDidResume(recovered: Bool) {
    onEvent(.messagesResumed(isComplete: recovered))
  }
}

extension SessionEventAdapter: TranscriptEventObserver {
  func transcriptEventDidReceive(transcriptEvent: any TranscriptEvent) {
    for line in TranscriptLine.lines(of: transcriptEvent) { onEvent(.transcript(line)) }
  }
}
