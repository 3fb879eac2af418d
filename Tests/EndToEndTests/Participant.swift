import AdaptiveTrials
import CarillonClient
import Dispatch
import Synchronization
import TestSupport
import Testing
import Trials
import Wire

/// One attendee with a session of the client library. The participant records all calls of the
/// session's observers.
final class Participant: Sendable {
  let name: String
  let attendee: V1.AttendeeRecord
  let heard = AwaitableEntryList<Heard>()
  private let session: MeetingSessionWithoutMedia
  private let heardOffMain = Mutex<[Heard]>([])

  /// A key that has a value only on the main queue.
  private static let mainKey = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Creates the session of an attendee.
  ///
  /// - Parameter gatewayURL: The URL of the gateway; `nil` to connect to the host of the signalling
  ///   URL.
  init(_ attendee: V1.AttendeeRecord, through gatewayURL: String?, signalingURL: String) {
    _ = Self.mainKey
    name = attendee.externalUserID
    self.attendee = attendee
    let configuration = MeetingSessionConfiguration(
      attendee, through: gatewayURL, signalingURL: signalingURL)
    session = MeetingSessionWithoutMedia(
      configuration: configuration, logger: ConsoleLogger(name: name, level: .OFF))
    session.audioVideo.addAudioVideoObserver(observer: self)
    session.audioVideo.addRealtimeObserver(observer: self)
  }

  var audioVideo: any AudioVideoFacade { session.audioVideo }

  // MARK: Joining, leaving and muting

  /// Starts the session, and waits until the session has joined the meeting.
  func join(_ configuration: AudioVideoConfiguration = AudioVideoConfiguration()) async throws {
    let mark = mark
    try audioVideo.start(audioVideoConfiguration: configuration)
    try await hears(.joined(name), since: mark)
  }

  /// Starts the session, waits until the meeting refuses the session, and returns the status.
  func refusal() async throws -> MeetingSessionStatusCode? {
    try audioVideo.start()
    let heard = try await heard.wait(for: "\(name) to be refused") {
      $0.contains { if case .stopped = $0 { true } else { false } }
    }
    #expect(!heard.contains(.started(reconnecting: false)))
    guard case .stopped(let code) = heard.filter(\.isAboutAudio).last else { return nil }
    return code
  }

  /// Stops the session, and waits for the callback.
  func leave() async throws {
    let mark = mark
    audioVideo.stop()
    try await hears(.stopped(.ok), since: mark)
  }

  func mute() throws { try #require(audioVideo.realtimeLocalMute()) }

  func unmute() throws { try #require(audioVideo.realtimeLocalUnmute()) }

  // MARK: Callbacks

  /// The number of callbacks so far. A test waits for callbacks after this mark.
  var mark: Int { heard.entries.count }

  var aboutAudio: [Heard] { heard.entries.filter(\.isAboutAudio) }

  /// Waits until the client calls the expected callback after a mark.
  func hears(
    _ expected: Heard, since mark: Int = 0, within limit: Duration = .seconds(15)
  ) async throws {
    try await heard.wait(for: "\(name) to hear \(expected)", within: limit) {
      $0.dropFirst(mark).contains(expected)
    }
  }

  /// Waits until this participant's roster has exactly these names.
  func knows(exactly names: Set<String>, within limit: Duration = .seconds(15)) async throws {
    try await heard.wait(for: "\(name) to know exactly \(names.sorted())", within: limit) {
      $0.roster == names
    }
  }

  /// Waits until exactly these attendees are muted for this participant.
  func knowsMuted(exactly names: Set<String>) async throws {
    try await heard.wait(for: "\(name) to know that \(names.sorted()) are muted") {
      $0.muted == names
    }
  }

  /// Checks that the client reported leaves and losses only of the named attendees, and that no
  /// attendee joined twice.
  func heardNoFalsePresence(
    but departed: Set<String> = [], _ location: SourceLocation = #_sourceLocation
  ) throws {
    let presence = heard.entries.filter(\.isAboutPresence)
    let departures = presence.filter(\.isDeparture)
    try #require(
      departures.allSatisfy { departed.contains($0.name) }, "\(name): \(presence)",
      sourceLocation: location)
    try #require(
      Set(presence).count == presence.count, "\(name): \(presence)", sourceLocation: location)
  }

  func heardAllOnMain(_ location: SourceLocation = #_sourceLocation) throws {
    let heardElsewhere = heardOffMain.withLock { $0 }
    try #require(heardElsewhere.isEmpty, "\(name)", sourceLocation: location)
  }

  private func note(_ heard: Heard) {
    if DispatchQueue.getSpecific(key: Self.mainKey) != true {
      heardOffMain.withLock { $0.append(heard) }
    }
    self.heard.append(heard)
  }

  private func note(_ attendees: [AttendeeInfo], as heard: (String) -> Heard) {
    for attendee in attendees { note(heard(attendee.label)) }
  }
}

extension AttendeeInfo {
  /// The attendee's name, with the suffix `#content` for a content share.
  fileprivate var label: String {
    attendeeId.hasSuffix("#content") ? externalUserId + "#content" : externalUserId
  }
}

extension Heard {
  /// The attendee who joined or left, or whom the server lost; empty for other calls.
  fileprivate var name: String {
    switch self {
    case .joined(let name), .left(let name), .lost(let name): name
    default: ""
    }
  }
}

extension Participant: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) {
    note(.connecting(reconnecting: reconnecting))
  }
  func audioSessionDidStart(reconnecting: Bool) { note(.started(reconnecting: reconnecting)) }
  func audioSessionDidDrop() { note(.interrupted) }
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    note(.stopped(sessionStatus.statusCode))
  }
  func audioSessionDidCancelReconnect() { note(.cancelled) }
  func connectionDidRecover() {}
  func connectionDidBecomePoor() {}
  func videoSessionDidStartConnecting() { note(.videoChanged) }
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) { note(.videoChanged) }
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) { note(.videoChanged) }
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {}
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {}
  func cameraSendAvailabilityDidChange(available: Bool) {}
}

extension Participant: RealtimeObserver {
  func volumeDidChange(volumeUpdates: [VolumeUpdate]) {
    for update in volumeUpdates { note(.volume(update.attendeeInfo.label, update.volumeLevel)) }
  }
  func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {
    for update in signalUpdates { note(.signal(update.attendeeInfo.label)) }
  }
  func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) { note(attendeeInfo, as: Heard.joined) }
  func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) { note(attendeeInfo, as: Heard.left) }
  func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) { note(attendeeInfo, as: Heard.lost) }
  func attendeesDidMute(attendeeInfo: [AttendeeInfo]) { note(attendeeInfo, as: Heard.muted) }
  func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) { note(attendeeInfo, as: Heard.unmuted) }
}
