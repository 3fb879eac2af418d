import Foundation
import Testing

@testable import CarillonClientCore

struct DefaultActiveSpeakerPolicyTests {
  private let ada = AttendeeInfo("ada")
  private let bob = AttendeeInfo("bob")

  /// Covers rule 19 of the conformance list for `AudioVideoFacade`.
  @Test func `an attendee's score approaches 1 while this attendee speaks`() {
    let policy = DefaultActiveSpeakerPolicy()
    for expected in [0.1, 0.19, 0.271, 0.3439, 0.4095] {
      let score = policy.calculateScore(attendeeInfo: ada, volume: .low)
      #expect(abs(score - expected) < 0.0001)
    }
  }

  /// Covers rule 19 of the conformance list for `AudioVideoFacade`.
  @Test func `a score below the cutoff is reported as 0, but the score keeps growing`() {
    let policy = DefaultActiveSpeakerPolicy(cutoffThreshold: 0.1)
    #expect(policy.calculateScore(attendeeInfo: ada, volume: .high) == 0)
    #expect(abs(policy.calculateScore(attendeeInfo: ada, volume: .high) - 0.19) < 0.0001)
  }

  /// Covers rule 20 of the conformance list for `AudioVideoFacade`.
  @Test func `a speaker lowers each other attendee's score by 0.2, but never below 0`() {
    let policy = DefaultActiveSpeakerPolicy(cutoffThreshold: 0)
    for _ in 1...4 { _ = policy.calculateScore(attendeeInfo: ada, volume: .medium) }
    _ = policy.calculateScore(attendeeInfo: bob, volume: .medium)
    let left = policy.calculateScore(attendeeInfo: ada, volume: .notSpeaking)
    #expect(abs(left - (0.3439 - 0.2) * 0.9) < 0.0001)
    _ = policy.calculateScore(attendeeInfo: bob, volume: .medium)
    #expect(policy.calculateScore(attendeeInfo: ada, volume: .muted) == 0)
  }

  @Test func `a score of 0.1 falls below the cutoff after 22 silent reports`() {
    let policy = DefaultActiveSpeakerPolicy()
    _ = policy.calculateScore(attendeeInfo: ada, volume: .low)
    var silences = 0
    repeat { silences += 1 } while policy.calculateScore(attendeeInfo: ada, volume: .muted) > 0
    #expect(silences == 22)
    #expect(policy.prioritizeVideoSendBandwidthForActiveSpeaker())
  }
}

struct DefaultActiveSpeakerDetectorTests {
  final class Listener: ActiveSpeakerObserver, @unchecked Sendable {
    let observerId: String
    let scoresCallbackIntervalMs: Int
    let recorder = Recorder()

    init(_ observerId: String = "listener", scoresEveryMs: Int = 0) {
      self.observerId = observerId
      scoresCallbackIntervalMs = scoresEveryMs
    }

    func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo]) {
      recorder.note("[" + attendeeInfo.map(\.attendeeId).joined(separator: " ") + "]")
    }

    func activeSpeakerScoreDidChange(scores: [AttendeeInfo: Double]) {
      let list = scores.sorted { $0.key < $1.key }.map { "\($0.key.attendeeId)=\($0.value)" }
      recorder.note(list.joined(separator: " "))
    }
  }

  final class SilentListener: ActiveSpeakerObserver {
    let observerId = "silent"
    func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo]) {}
  }

  private let time = ManualTime()
  private let detector: DefaultActiveSpeakerDetector

  init() {
    let time = time
    detector = DefaultActiveSpeakerDetector(
      of: LocalAttendeeIdentity(
        MeetingSessionCredentials(attendeeId: "ada", externalUserId: "", joinToken: "")),
      environment: SessionDependencies(
        wallClockMs: { time.nowMs }, uptimeMs: { time.nowMs },
        makeScheduler: { time.makeScheduler(intervalMs: $0, callback: $1) },
        permissions: FixedPermissionProvider(), appStateMonitor: DefaultAppStateMonitor()))
  }

  private func hear(_ id: String, _ level: VolumeLevel) {
    detector.volumeDidChange(volumeUpdates: [
      VolumeUpdate(attendeeInfo: AttendeeInfo(id), volumeLevel: level)
    ])
  }

  /// Covers rule 21 of the conformance list for `AudioVideoFacade`.
  @Test func `while nobody speaks, observers get an empty list after each join or leave`() async {
    let listener = Listener()
    detector.addActiveSpeakerObserver(policy: DefaultActiveSpeakerPolicy(), observer: listener)
    detector.attendeesDidJoin(attendeeInfo: [AttendeeInfo("ada"), AttendeeInfo("bob")])
    detector.attendeesDidDrop(attendeeInfo: [AttendeeInfo("bob")])
    #expect(await listener.recorder.lines() == ["[]", "[]", "[]"])
    #expect(listener.recorder.linesOffMain.isEmpty)
  }

  /// Covers rule 21 of the conformance list for `AudioVideoFacade`.
  @Test func `the list orders speakers by score and drops each speaker who falls silent`() async {
    let listener = Listener()
    detector.addActiveSpeakerObserver(policy: DefaultActiveSpeakerPolicy(), observer: listener)
    detector.attendeesDidJoin(attendeeInfo: [AttendeeInfo("ada"), AttendeeInfo("bob")])
    _ = await listener.recorder.lines()
    listener.recorder.forget()
    for level in [VolumeLevel.low, .medium, .high, .low, .high] { hear("ada", level) }
    #expect(await listener.recorder.lines() == ["[ada]"])
    hear("bob", .low)
    #expect(await listener.recorder.lines() == ["[ada]", "[ada bob]"])
    time.advance(byMs: 1000)
    #expect(await listener.recorder.lines() == ["[ada]", "[ada bob]"])
    for _ in 1...45 {  // Let each list arrive before the next step.
      time.advance(byMs: 200)
      await drainMain()
    }
    #expect(await listener.recorder.lines() == ["[ada]", "[ada bob]", "[ada]", "[]"])
  }

  @Test func `two observers both receive the active speakers`() async {
    let first = Listener("first")
    let second = Listener("second")
    detector.addActiveSpeakerObserver(policy: DefaultActiveSpeakerPolicy(), observer: first)
    detector.addActiveSpeakerObserver(policy: DefaultActiveSpeakerPolicy(), observer: second)
    hear("bob", .high)
    #expect(await first.recorder.lines() == ["[bob]"])
    #expect(await second.recorder.lines() == ["[bob]"])
  }

  /// Covers rule 22 of the conformance list for `AudioVideoFacade`.
  @Test func `an observer gets all scores, including scores of 0, once per interval`() async {
    let listener = Listener(scoresEveryMs: 1000)
    detector.addActiveSpeakerObserver(policy: DefaultActiveSpeakerPolicy(), observer: listener)
    detector.addActiveSpeakerObserver(
      policy: DefaultActiveSpeakerPolicy(), observer: SilentListener())
    detector.attendeesDidJoin(attendeeInfo: [AttendeeInfo("ada")])
    _ = await listener.recorder.lines()
    listener.recorder.forget()
    time.advance(byMs: 999)
    #expect(await listener.recorder.lines().isEmpty)
    time.advance(byMs: 1001)
    #expect(await listener.recorder.lines() == ["ada=0.0", "ada=0.0"])
  }

  @Test func `an observer gets the scores of attendees who joined before the observer was added`()
    async
  {
    detector.attendeesDidJoin(attendeeInfo: [AttendeeInfo("ada")])
    let listener = Listener(scoresEveryMs: 100)
    detector.addActiveSpeakerObserver(policy: DefaultActiveSpeakerPolicy(), observer: listener)
    time.advance(byMs: 100)
    #expect(await listener.recorder.lines() == ["ada=0.0"])
  }

  @Test func `a removed observer gets no calls and leaves no timer behind`() async {
    let listener = Listener(scoresEveryMs: 100)
    detector.addActiveSpeakerObserver(policy: DefaultActiveSpeakerPolicy(), observer: listener)
    #expect(time.runningTimers == 2)
    detector.addActiveSpeakerObserver(policy: DefaultActiveSpeakerPolicy(), observer: listener)
    #expect(time.runningTimers == 2)
    detector.removeActiveSpeakerObserver(observer: listener)
    #expect(time.runningTimers == 0)
    hear("bob", .high)
    #expect(await listener.recorder.lines().isEmpty)
  }

  @Test func `a session passes volumes to the detector only between start and stop`() async throws {
    let fixture = SessionFixture()
    let listener = Listener()
    fixture.audioVideo.addActiveSpeakerObserver(
      policy: DefaultActiveSpeakerPolicy(), observer: listener)
    try await fixture.connect()
    let delegate = try fixture.delegate
    delegate.volumesDidChange([VolumeReport("bob", .high)])
    await drainMain()
    #expect(await listener.recorder.lines() == ["[bob]"])
    fixture.audioVideo.stop()
    delegate.volumesDidChange([VolumeReport("bob", .low)])
    await drainMain()
    #expect(await listener.recorder.lines() == ["[bob]"])
  }
}
