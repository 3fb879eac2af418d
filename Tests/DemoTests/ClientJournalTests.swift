import Testing

@testable import Demo
@testable import LocalInstallation
@testable import MeetingViews
@testable import Output

@Suite(.timeLimit(.minutes(5))) struct ClientJournalTests {
  private let ada = AttendeeName(attendeeID: "a", externalUserID: "ada")
  private let ben = AttendeeName(attendeeID: "b", externalUserID: "ben")

  @Test func `a wait finds events from before the wait and during the wait`() async throws {
    let journal = ClientJournal()
    journal.record(.started)
    let deadline = ContinuousClock.now + .seconds(30)
    #expect(await journal.first(from: 0, until: deadline) { $0 == .started } != nil)
    async let later = journal.first(from: 1, until: deadline) { $0.says(.joined, "a") }
    journal.record(.attendee(.joined, ben))
    journal.record(.attendee(.joined, ada))
    #expect(await later?.event == .attendee(.joined, ada))
  }

  @Test func `a wait for an event that never happens returns nil at the deadline`() async {
    let journal = ClientJournal()
    journal.record(.started)
    #expect(await journal.first(from: 1, until: .now) { _ in true } == nil)
  }

  @Test func `a wait for an event of an ended client returns immediately`() async throws {
    let watcher = SubprocessClient(
      name: "ada", attendeeID: "a",
      command: ChildCommand("/nowhere", environment: ["PATH": "/bin"]),
      spawner: ProcessSpawner())
    try await watcher.start()
    let none = await watcher.journal.first(from: 0, until: .now + .seconds(3600)) { _ in true }
    #expect(none == nil)
    #expect(watcher.lastWords.contains("/nowhere"))
  }

  @Test func `the roster has the attendees who joined and have not left`() {
    let journal = ClientJournal()
    for event in [
      ObservedEvent.started, .attendee(.joined, ada), .attendee(.joined, ben),
      .attendee(.muted, ben), .attendee(.dropped, ada),
    ] { journal.record(event) }
    #expect(journal.roster == ["b"])
    journal.record(.attendee(.left, ben))
    #expect(journal.roster.isEmpty)
  }

  @Test func `events are printed with stable fields`() {
    #expect(
      ObservedEvent.attendee(.joined, ada).record.json
        == #"{"event": "joined", "attendee_id": "a", "external_user_id": "ada"}"#)
    #expect(
      ObservedEvent.ended(status: 60, name: "audioServerHungup").record.json
        == #"{"event": "ended", "session_status": 60, "session_status_name": "audioServerHungup"}"#)
    #expect(ObservedEvent.reconnecting.record.json == #"{"event": "reconnecting"}"#)
    #expect(
      ObservedEvent.messagesResumed(isComplete: false).record.json
        == #"{"event": "messages_resumed", "recovered": false}"#)
  }

  @Test func `arrived and throttled messages are printed as different events`() {
    let message = DisplayedDataMessage(topic: "chat", data: [0xFF], sender: ada, sequence: 3)
    #expect(ObservedEvent.message(message).record.json.hasPrefix(#"{"event": "message", "topic""#))
    #expect(
      ObservedEvent.throttled(message).record.json.hasPrefix(#"{"event": "throttled", "topic""#))
    #expect(ObservedEvent.message(message).text == "message  ada  chat  base64:/w==")
    #expect(ObservedEvent.message(message).message == message)
    #expect(ObservedEvent.throttled(message).message == nil)
    #expect(ObservedEvent.attendee(.joined, ada).text == "joined  a  ada")
  }

  @Test func `the lines of a client process become events`() async throws {
    let script = """
      echo '{"event": "started", "roster": []}'
      echo '{"event": "joined", "attendee_id": "a", "external_user_id": "ada", "is_muted": true}'
      echo 'no json'
      echo '{"event": "volume_changed", "attendee_id": "a"}'
      echo '{"event": "message", "topic": "chat", "text": null, "base64": "AP8=", "sequence": 7, \
        "sender_attendee_id": "b", "sender_external_user_id": "ben"}'
      echo '{"event": "message", "topic": "chat", "base64": "no base64", "sequence": 8}'
      echo '{"event": "ended", "session_status": 60}'
      """
    let watcher = SubprocessClient(
      name: "ada", attendeeID: "a",
      command: ChildCommand("/bin/sh", ["-c", script], environment: ["PATH": "/bin"]),
      spawner: ProcessSpawner())
    try await watcher.start()
    _ = await watcher.journal.first(from: 0, until: .now + .seconds(30)) { $0.isEnd }
    #expect(
      watcher.journal.entries(from: 0).map(\.event) == [
        .started, .attendee(.joined, ada), .attendee(.muted, ada),
        .message(DisplayedDataMessage(topic: "chat", data: [0, 255], sender: ben, sequence: 7)),
        .ended(status: 60, name: ""),
      ])
    await watcher.stop()
    #expect(!watcher.setMuted(true))
  }
}
