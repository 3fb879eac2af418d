import Foundation
import Synchronization
import Testing

@testable import CarillonClientCore

struct EventAnalyticsTests {
  final class Reporter: EventReporter, @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [SDKEvent] = []

    var events: [SDKEvent] { lock.withLock { kept } }

    func report(event: SDKEvent) { lock.withLock { kept.append(event) } }
    func start() {}
    func stop() {}

    func attribute(_ attribute: EventAttributeName, of name: EventName) -> Any? {
      events.last { $0.name == name.description }?.eventAttributes[attribute]
    }
  }

  @Test func `the event history continues when a session restarts, but the statistics begin anew`()
    async throws
  {
    let reporter = Reporter()
    let fixture = SessionFixture(reporter: reporter)
    try fixture.audioVideo.start()
    fixture.time.advance(byMs: 30)
    let delegate = try fixture.delegate
    delegate.connectionDidChange(.connected, status: .ok)
    #expect(reporter.attribute(.meetingStartDurationMs, of: .meetingStartSucceeded) as? Int64 == 30)
    delegate.connectionDidChange(.connected, status: .networkBecomePoor)
    delegate.connectionDidChange(.reconnecting, status: .ok)
    fixture.time.advance(byMs: 500)
    delegate.connectionDidChange(.connected, status: .ok)
    #expect(
      reporter.attribute(.meetingReconnectDurationMs, of: .meetingReconnected) as? Int64 == 500)
    fixture.audioVideo.stop()
    #expect(reporter.attribute(.meetingDurationMs, of: .meetingEnded) as? Int64 == 500)
    #expect(reporter.attribute(.retryCount, of: .meetingEnded) as? Int == 1)
    #expect(reporter.attribute(.poorConnectionCount, of: .meetingEnded) as? Int == 1)
    #expect(
      reporter.attribute(.meetingStatus, of: .meetingEnded) as? MeetingSessionStatusCode == .ok)

    try await fixture.connect()
    try fixture.delegate.connectionDidChange(.disconnectedAbnormally, status: .audioDisconnected)
    #expect(reporter.attribute(.retryCount, of: .meetingFailed) as? Int == 0)
    #expect(
      reporter.attribute(.meetingErrorMessage, of: .meetingFailed) as? String
        == "audioDisconnected")
    #expect(
      fixture.history == [
        "appStateChanged", "meetingStartRequested", "meetingStartSucceeded", "meetingReconnected",
        "meetingEnded", "appStateChanged", "meetingStartRequested", "meetingStartSucceeded",
        "meetingFailed",
      ])
    #expect(reporter.events.map(\.name) == fixture.history)
  }

  @Test func `internal events do not reach observers`() async throws {
    let fixture = SessionFixture(observesEvents: true)
    try await fixture.connect()
    _ = fixture.audioVideo.realtimeSetVoiceFocusEnabled(enabled: true)
    _ = fixture.audioVideo.realtimeSetVoiceFocusEnabled(enabled: false)
    fixture.session.eventAnalyticsController.pushHistory(historyEventName: .videoInputSelected)
    fixture.audioVideo.stop()
    #expect(
      await fixture.recorder.lines().filter { $0.hasPrefix("event") } == [
        "event meetingStartRequested", "event meetingStartSucceeded", "event meetingEnded",
      ])
    #expect(
      fixture.history == [
        "appStateChanged", "meetingStartRequested", "meetingStartSucceeded",
        "voiceFocusEnabled", "voiceFocusDisabled", "videoInputSelected", "meetingEnded",
      ])
  }

  @Test func `before the start, an attempt to switch on voice focus fails with a reason`() {
    let reporter = Reporter()
    let fixture = SessionFixture(reporter: reporter)
    #expect(!fixture.audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
    #expect(
      reporter.attribute(.voiceFocusError, of: .voiceFocusEnableFailed) as? VoiceFocusError
        == .audioClientNotStarted)
    #expect(!fixture.logger.lines.contains { $0.hasPrefix("fault") })
  }

  @Test func `every event carries the time and the state of the device`() {
    let reporter = Reporter()
    let fixture = SessionFixture(reporter: reporter)
    fixture.time.advance(byMs: 5)
    fixture.session.eventAnalyticsController.publishEvent(
      name: .audioInputSelected, attributes: [EventAttributeName.audioDeviceType: "other"])
    let attributes = reporter.events.last?.eventAttributes ?? [:]
    #expect(attributes[EventAttributeName.timestampMs] as? Int64 == 1_000_005)
    #expect(attributes[EventAttributeName.appState] as? String == "Active")
    #expect(attributes[EventAttributeName.batteryState] as? String == "Unknown")
    #expect(attributes[EventAttributeName.networkConnectionType] as? String == "Unknown")
    #expect(attributes[EventAttributeName.lowPowerModeEnabled] as? Bool == false)
    #expect(attributes[EventAttributeName.audioDeviceType] as? String == "other")
    #expect(attributes[EventAttributeName.batteryLevel] == nil)
  }

  @Test func `the keys of common event attributes are strings`() {
    let attributes = SessionFixture().audioVideo.getCommonEventAttributes()
    #expect(attributes["osName"] as? String == "Linux")
    #expect(attributes["meetingId"] as? String == "m")
    #expect(attributes["attendeeId"] as? String == "ada")
    #expect(attributes["externalUserId"] as? String == "Ada L.")
    #expect(attributes["externalMeetingId"] as? String == "tea time")
    #expect(attributes["sdkVersion"] as? String == Versioning.sdkVersion())
    #expect(attributes.count == 12)
  }

  @Test func `the history has a name for every event`() {
    for rawValue in 0...31 {
      let name = EventName(rawValue: rawValue)
      #expect(
        name.map { MeetingHistoryEventName($0).description } == name.map(\.description))
    }
    let event = MeetingHistoryEvent(meetingHistoryEventName: .meetingEnded, timestampMs: 7)
    #expect(event.description == "meetingEnded: 7")
  }

  @Test func `an ingestion setting outside its range is set to the nearest limit`() {
    final class Client: EventClientConfiguration {
      let type = EventClientType.meet
      let eventClientJoinToken = "secret"
      let tag = "Meet"
      let metadataAttributes: [String: Any] = [:]
    }
    let low = IngestionConfigurationBuilder().setFlushSize(flushSize: 0)
      .setFlushIntervalMs(flushIntervalMs: 0).setRetryCountLimit(retryCountLimit: 0)
      .build(ingestionUrl: "u", clientConiguration: Client())
    #expect((low.flushSize, low.flushIntervalMs, low.retryCountLimit) == (1, 300, 1))
    let high = IngestionConfigurationBuilder().setFlushSize(flushSize: 101)
      .setRetryCountLimit(retryCountLimit: 4)
      .build(disabled: true, ingestionUrl: "u", clientConiguration: Client())
    #expect((high.flushSize, high.flushIntervalMs, high.retryCountLimit) == (100, 5000, 3))
    #expect(high.disabled)
  }
}
