import Foundation
import Testing

@testable import CarillonClientCore

struct DataMessageObserverTests {
  private final class Reader: DataMessageObserver {
    let name: String
    let recorder: Recorder

    init(_ name: String, _ recorder: Recorder) {
      self.name = name
      self.recorder = recorder
    }

    func dataMessageDidReceived(dataMessage: DataMessage) {
      recorder.note("\(name) \(dataMessage.topic) \(dataMessage.text() ?? "?")")
    }
  }

  private let fixture = SessionFixture()

  private func arrive(_ topic: String, _ text: String) throws {
    try fixture.delegate.dataMessageDidArrive(
      DataMessage(
        topic: topic, data: Data(text.utf8), senderAttendeeId: "bob", senderExternalUserId: "Bob",
        timestampMs: 1, throttled: false))
  }

  private func heard() async -> [String] {
    await fixture.recorder.lines().filter { $0.hasPrefix("one") || $0.hasPrefix("two") }
  }

  /// Covers rule 30 of the conformance list for `AudioVideoFacade`.
  @Test func `a removal by topic removes all observers of this topic and no other observers`()
    async throws
  {
    let (one, two) = (Reader("one", fixture.recorder), Reader("two", fixture.recorder))
    for topic in ["chat", "game"] {
      fixture.audioVideo.addRealtimeDataMessageObserver(topic: topic, observer: one)
      fixture.audioVideo.addRealtimeDataMessageObserver(topic: topic, observer: two)
    }
    try await fixture.connect()
    fixture.audioVideo.removeRealtimeDataMessageObserverFromTopic(topic: "chat")
    try arrive("chat", "a")
    try arrive("game", "b")
    #expect(await heard() == ["one game b", "two game b"])
  }

  @Test func `a message reaches only its topic's observers, in order and on the main thread`()
    async throws
  {
    let (one, two) = (Reader("one", fixture.recorder), Reader("two", fixture.recorder))
    fixture.audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: one)
    fixture.audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: one)
    fixture.audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: two)
    fixture.audioVideo.addRealtimeDataMessageObserver(topic: "", observer: two)
    try await fixture.connect()
    for (topic, text) in [("chat", "a"), ("Chat", "b"), ("cha", "c"), ("", "d"), ("chat", "e")] {
      try arrive(topic, text)
    }
    #expect(
      await heard() == ["one chat a", "two chat a", "two  d", "one chat e", "two chat e"])
    #expect(fixture.recorder.linesOffMain.isEmpty)
  }

  @Test func `observers stay registered after a stop and receive nothing until the next start`()
    async throws
  {
    let one = Reader("one", fixture.recorder)
    fixture.audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: one)
    try await fixture.connect()
    try arrive("chat", "a")
    fixture.audioVideo.stop()
    try arrive("chat", "late")
    try await fixture.connect()
    try arrive("chat", "b")
    #expect(await heard() == ["one chat a", "one chat b"])
  }

  @Test func `an observer receives only messages that arrive after the observer was added`()
    async throws
  {
    let one = Reader("one", fixture.recorder)
    try await fixture.connect()
    try arrive("chat", "a")
    _ = await heard()
    fixture.audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: one)
    try arrive("chat", "b")
    #expect(await heard() == ["one chat b"])
  }

  @Test func `a removed observer does not receive messages that were queued before the removal`()
    async throws
  {
    let one = Reader("one", fixture.recorder)
    fixture.audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: one)
    try await fixture.connect()
    try await MainActor.run {
      try arrive("chat", "a")
      fixture.audioVideo.removeRealtimeDataMessageObserverFromTopic(topic: "chat")
      fixture.audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: one)
      try arrive("chat", "b")
    }
    #expect(await heard() == ["one chat b"])
  }

  @Test func `a resumption is reported before the messages that follow the resumption`()
    async throws
  {
    final class Follower: DataMessageLogObserver {
      let recorder: Recorder
      init(_ recorder: Recorder) { self.recorder = recorder }
      func dataMessagesDidResume(recovered: Bool) { recorder.note("one resumed \(recovered)") }
    }
    let one = Reader("one", fixture.recorder)
    let follower = Follower(fixture.recorder)
    let log = fixture.session.dataMessageLog
    log.addDataMessageLogObserver(observer: follower)
    fixture.audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: one)
    try await fixture.connect()
    try fixture.delegate.dataMessagesDidResume(isRecovered: true)
    try arrive("chat", "a")
    try fixture.delegate.dataMessagesDidResume(isRecovered: false)
    #expect(await heard() == ["one resumed true", "one chat a", "one resumed false"])
    log.removeDataMessageLogObserver(observer: follower)
    try fixture.delegate.dataMessagesDidResume(isRecovered: true)
    _ = await heard()
    fixture.audioVideo.stop()
    log.addDataMessageLogObserver(observer: follower)
    try fixture.delegate.dataMessagesDidResume(isRecovered: true)
    #expect(await heard().count == 3)
  }
}
