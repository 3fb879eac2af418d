import Dispatch
import Synchronization

@testable import CarillonClientCore

/// An observer that records all callbacks, one line each.
final class Recorder: Sendable {
  private static let mainKey = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private struct State {
    var lines: [String] = []
    var linesOffMain: [String] = []
  }

  private let state = Mutex(State())

  init() { _ = Self.mainKey }

  /// Waits for all posted callbacks, and returns the recorded lines.
  func lines() async -> [String] {
    await drainMain()
    return state.withLock { $0.lines }
  }

  var linesOffMain: [String] { state.withLock { $0.linesOffMain } }

  func note(_ line: String) {
    let isOnMain = DispatchQueue.getSpecific(key: Self.mainKey) == true
    state.withLock {
      $0.lines.append(line)
      if !isOnMain { $0.linesOffMain.append(line) }
    }
  }

  func forget() { state.withLock { $0.lines = [] } }
}

/// Waits until every block that is now on the main queue has run.
func drainMain() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

extension Recorder: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) { note("connecting \(reconnecting)") }
  func audioSessionDidStart(reconnecting: Bool) { note("started \(reconnecting)") }
  func audioSessionDidDrop() { note("dropped") }
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    note("stopped \(sessionStatus.statusCode.description)")
  }
  func audioSessionDidCancelReconnect() { note("cancelled") }
  func connectionDidRecover() { note("recovered") }
  func connectionDidBecomePoor() { note("poor") }
  func videoSessionDidStartConnecting() { note("video connecting") }
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {
    note("video started \(sessionStatus.statusCode.description)")
  }
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    note("video stopped \(sessionStatus.statusCode.description)")
  }
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) { note("sources") }
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) { note("no sources") }
  func cameraSendAvailabilityDidChange(available: Bool) { note("camera \(available)") }
}

extension Recorder: RealtimeObserver {
  func volumeDidChange(volumeUpdates: [VolumeUpdate]) {
    note("volume " + list(volumeUpdates.map { "\($0.attendeeInfo.attendeeId)=\($0.volumeLevel)" }))
  }
  func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {
    note(
      "signal " + list(signalUpdates.map { "\($0.attendeeInfo.attendeeId)=\($0.signalStrength)" }))
  }
  func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) { note("join " + names(attendeeInfo)) }
  func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) { note("leave " + names(attendeeInfo)) }
  func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) { note("drop " + names(attendeeInfo)) }
  func attendeesDidMute(attendeeInfo: [AttendeeInfo]) { note("mute " + names(attendeeInfo)) }
  func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) { note("unmute " + names(attendeeInfo)) }

  private func names(_ attendees: [AttendeeInfo]) -> String { list(attendees.map(\.attendeeId)) }
  private func list(_ texts: [String]) -> String { texts.sorted().joined(separator: " ") }
}

extension Recorder: EventAnalyticsObserver {
  func eventDidReceive(name: EventName, attributes: [AnyHashable: Any]) {
    note("event \(name)")
  }
}

extension Recorder: PrimaryMeetingPromotionObserver {
  func didPromoteToPrimaryMeeting(status: MeetingSessionStatus) {
    note("promoted \(status.statusCode.description)")
  }
  func didDemoteFromPrimaryMeeting(status: MeetingSessionStatus) {
    note("demoted \(status.statusCode.description)")
  }
}
