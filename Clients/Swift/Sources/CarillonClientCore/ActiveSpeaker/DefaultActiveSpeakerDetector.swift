public import Foundation

/// A detector that finds the active speakers from the volumes of the attendees.
///
/// Each observer has separate scores, so that policies do not affect each other.
///
/// `@unchecked Sendable` because the lock guards all mutable state. The lock is recursive: the
/// detector calls a policy while the detector holds the lock, and the policy may add or remove
/// observers.
public final class DefaultActiveSpeakerDetector: NSObject, ActiveSpeakerDetectorFacade,
  @unchecked Sendable
{
  private static let tickMs = 200
  private static let silenceMs: Int64 = 1000

  /// An observer with its policy and scores; guarded by the detector's lock.
  private final class Registration: @unchecked Sendable {
    let policy: any ActiveSpeakerPolicy
    let observer: any ActiveSpeakerObserver
    var speakers: ActiveSpeakerScores
    var scoreTimer: (any Scheduler)?
    var hasBandwidthPriority = false

    init(
      policy: any ActiveSpeakerPolicy, observer: any ActiveSpeakerObserver,
      attendees: Set<AttendeeInfo>
    ) {
      self.policy = policy
      self.observer = observer
      speakers = ActiveSpeakerScores(attendees: attendees)
    }
  }

  private let identity: LocalAttendeeIdentity
  private let uptimeMs: @Sendable () -> Int64
  private let makeScheduler: @Sendable (Int, @escaping @Sendable () -> Void) -> any Scheduler
  private let lock = NSRecursiveLock()
  private var registrations: [String: Registration] = [:]
  private var attendees: Set<AttendeeInfo> = []
  private var tickTimer: (any Scheduler)?

  /// Creates a detector.
  ///
  /// - Parameter selfAttendeeId: The id of the local attendee.
  public convenience init(selfAttendeeId: String) {
    self.init(
      of: LocalAttendeeIdentity(
        MeetingSessionCredentials(attendeeId: selfAttendeeId, externalUserId: "", joinToken: "")),
      environment: .live(permissions: FixedPermissionProvider()))
  }

  init(of identity: LocalAttendeeIdentity, environment: SessionDependencies) {
    self.identity = identity
    uptimeMs = environment.uptimeMs
    makeScheduler = environment.makeScheduler
  }

  deinit {
    tickTimer?.stop()
    for registration in registrations.values { registration.scoreTimer?.stop() }
  }

  public func addActiveSpeakerObserver(
    policy: any ActiveSpeakerPolicy, observer: any ActiveSpeakerObserver
  ) {
    let id = observer.observerId
    let scoresIntervalMs = observer.scoresCallbackIntervalMs
    lock.withLock {
      registrations[id]?.scoreTimer?.stop()
      let registration = Registration(policy: policy, observer: observer, attendees: attendees)
      registrations[id] = registration
      if scoresIntervalMs > 0 {
        registration.scoreTimer = startTimer(everyMs: scoresIntervalMs) { [weak self] in
          self?.postScores(of: registration, id: id)
        }
      }
      guard tickTimer == nil else { return }
      tickTimer = startTimer(everyMs: Self.tickMs) { [weak self] in self?.tick() }
    }
  }

  public func removeActiveSpeakerObserver(observer: any ActiveSpeakerObserver) {
    let id = observer.observerId
    lock.withLock {
      registrations.removeValue(forKey: id)?.scoreTimer?.stop()
      guard registrations.isEmpty else { return }
      tickTimer?.stop()
      tickTimer = nil
    }
  }

  public func hasBandwidthPriorityCallback(hasBandwidthPriority: Bool) {}

  /// Removes the meeting's attendees and scores, without a report to the observers. The observers
  /// remain registered.
  func reset() {
    lock.withLock {
      attendees = []
      for registration in registrations.values {
        registration.speakers = ActiveSpeakerScores()
        registration.hasBandwidthPriority = false
      }
    }
  }

  private func startTimer(
    everyMs interval: Int, _ callback: @escaping @Sendable () -> Void
  ) -> any Scheduler {
    let timer = makeScheduler(interval, callback)
    timer.start()
    return timer
  }

  /// Scores an attendee as silent if no volume of the attendee has arrived for ``silenceMs``.
  private func tick() {
    lock.withLock {
      let now = uptimeMs()
      forEachRegistration { registration in
        registration.speakers.silent(forMs: Self.silenceMs, atMs: now)
          .map { self.score($0, .notSpeaking, in: registration) }
      }
    }
  }

  private func score(
    _ attendee: AttendeeInfo, _ volume: VolumeLevel, in registration: Registration
  ) -> Bool {
    let score = registration.policy.calculateScore(attendeeInfo: attendee, volume: volume)
    return registration.speakers.update(attendee, score: score)
  }

  /// Calls `change` for every observer. Each `true` in the result of `change` makes this method
  /// report the active speakers to the observer once.
  ///
  /// The caller must hold the lock.
  private func forEachRegistration(_ change: (Registration) -> [Bool]) {
    for (id, registration) in registrations {
      for isChange in change(registration) where isChange {
        postActive(of: registration, id: id)
        updateBandwidthPriority(of: registration)
      }
    }
  }

  private func updateBandwidthPriority(of registration: Registration) {
    let isFirst = registration.speakers.active.first.map { identity.isOwn($0.attendeeId) } ?? false
    let hasPriority =
      isFirst && registration.policy.prioritizeVideoSendBandwidthForActiveSpeaker()
    guard hasPriority != registration.hasBandwidthPriority else { return }
    registration.hasBandwidthPriority = hasPriority
    hasBandwidthPriorityCallback(hasBandwidthPriority: hasPriority)
  }

  private func postActive(of registration: Registration, id: String) {
    DispatchQueue.main.async { [self] in
      guard let speakers = speakers(of: registration, id: id) else { return }
      registration.observer.activeSpeakerDidDetect(attendeeInfo: speakers.active)
    }
  }

  private func postScores(of registration: Registration, id: String) {
    DispatchQueue.main.async { [self] in
      guard let speakers = speakers(of: registration, id: id) else { return }
      registration.observer.activeSpeakerScoreDidChange(scores: speakers.scores)
    }
  }

  /// Returns the scores of an observer; `nil` if the application has removed or replaced the
  /// observer.
  private func speakers(of registration: Registration, id: String) -> ActiveSpeakerScores? {
    lock.withLock { registrations[id] === registration ? registration.speakers : nil }
  }
}

extension DefaultActiveSpeakerDetector: RealtimeObserver {
  public func volumeDidChange(volumeUpdates: [VolumeUpdate]) {
    lock.withLock {
      let now = uptimeMs()
      forEachRegistration { registration in
        volumeUpdates.map { update in
          registration.speakers.heard(update.attendeeInfo, atMs: now)
          return score(update.attendeeInfo, update.volumeLevel, in: registration)
        }
      }
    }
  }

  public func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) {
    lock.withLock {
      attendees.formUnion(attendeeInfo)
      forEachRegistration { registration in
        attendeeInfo.map { registration.speakers.join($0) }
      }
    }
  }

  public func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) {
    remove(attendeeInfo)
  }

  public func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) {
    remove(attendeeInfo)
  }

  public func attendeesDidMute(attendeeInfo: [AttendeeInfo]) {}

  public func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) {}

  public func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {}

  private func remove(_ attendeeInfo: [AttendeeInfo]) {
    lock.withLock {
      attendees.subtract(attendeeInfo)
      forEachRegistration { registration in
        attendeeInfo.map { registration.speakers.remove($0) }
      }
    }
  }
}
