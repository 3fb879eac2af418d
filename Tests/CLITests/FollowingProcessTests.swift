import Bus
import ClientTestSupport
import Foundation
import Glibc
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import LocalInstallation

/// Tests of `carillon tail`, `join` and `transcript follow` as processes, in a scripted meeting.
@Suite(.timeLimit(.minutes(5))) struct FollowingProcessTests {
  private static func spoken(
    _ id: String, _ text: String, isPartial: Bool = false
  ) -> V1.SessionEvent.Event {
    let result = V1.TranscriptResult(
      resultID: id, isPartial: isPartial, startTimeMs: 1_790_000_000_123,
      endTimeMs: 1_790_000_001_000,
      alternatives: [
        V1.TranscriptAlternative(
          items: [
            V1.TranscriptItem(
              type: .pronunciation,
              attendee: V1.AttendeeInfo(attendeeID: "b-2", externalUserID: "ben"), content: text)
          ], transcript: text)
      ], revision: 1)
    return .transcriptEvents(
      V1.TranscriptEvents(events: [.init(event: .transcript(.init(results: [result])))]))
  }

  private static func joined(_ id: String, _ name: String) -> V1.SessionEvent.Event {
    .presenceChanged(
      V1.PresenceChanged(changes: [
        V1.PresenceChange(
          attendee: V1.AttendeeInfo(attendeeID: id, externalUserID: name), state: .joined)
      ]))
  }

  // MARK: Tail

  @Test
  func `carillon tail leaves the meeting after it has printed the requested number of messages`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start(
        "tail", "m-1", "--topic", "chat", "--count", "2")
      meeting.clients.say(.messages(1...2))
      let run = await running.end()
      #expect(
        run.output == [
          "00:00:01.001  Bob  chat  1/1", "00:00:01.002  Bob  chat  1/2",
        ])
      #expect(run.errors == ["started"])
      #expect(run.exit == .status(0))
      #expect(meeting.clients.stops.count == 1)
    }
  }

  @Test func `in JSON output, carillon tail prints connection events among the messages`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start(
        "tail", "m-1", "--topic", "chat", "--count", "1", "--output", "json")
      meeting.clients.say(.messages(1...1))
      let run = await running.end()
      #expect(run.output.count == 2)
      #expect(run.output.first == #"{"event": "started"}"#)
      #expect(
        run.output.last?.hasPrefix(
          #"{"event": "message", "topic": "chat", "text": "1/1", "base64": "MS8x", "#) == true)
      #expect(run.errors == [])
    }
  }

  @Test func `carillon tail prints only the requested topics`() async throws {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start(
        "tail", "m-1", "--topic", "votes", "--topic", "chat", "--count", "2")
      meeting.clients.say(.messages(1...1, topic: "votes"))
      meeting.clients.say(.messages(2...2, topic: "other"))
      meeting.clients.say(.messages(3...3, topic: "chat"))
      let run = await running.end()
      #expect(run.output.map { $0.split(separator: "  ").dropFirst(2).first } == ["votes", "chat"])
    }
  }

  @Test func `carillon tail reports the end of the meeting`() async throws {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start("tail", "m-1", "--topic", "chat")
      try await running.complains("started")
      meeting.clients.end(
        Status(.failedPrecondition, "The meeting has ended.", session: .audioCallEnded))
      let run = await running.end()
      #expect(run.exit == .status(1))
      #expect(run.output == [])
      #expect(run.errors.contains { $0.hasPrefix("ended  ") }, "\(run.errors)")
      #expect(
        run.errors.last?.hasSuffix(
          "The session ended with status 75; docs/reference/status-codes.md explains it.") == true,
        "\(run.errors)")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `after a signal, carillon tail leaves the meeting without a failure`(signal: Int32)
    async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start("tail", "m-1", "--topic", "chat")
      try await running.complains("started")
      running.child.signal(signal)
      let run = await running.end()
      #expect(run.exit == .status(0))
      #expect(run.errors.last == "ended  0  ok")
      #expect(meeting.clients.stops.count == 1)
    }
  }

  @Test(arguments: [
    "tail m-1 --topic chat", "tail m-1 --topic chat --output json", "join m-1 --plain",
    "join m-1 --output json", "transcript follow m-1", "transcript follow m-1 --format json",
  ])
  func `a command leaves its meeting when nobody reads the command's output`(
    words: String
  ) async throws {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let gone = "\(meeting.operators.directory)/gone"
      // If the reader of the output had ended before the join, the command would not join.
      let running = try await meeting.start(
        words.split(separator: " ").map(String.init),
        readBy: "until [ -e '\(gone)' ]; do sleep 0.02; done")
      #expect(FileManager.default.createFile(atPath: gone, contents: nil))
      let run = await running.end()
      #expect(run.exit == .status(0), "\(run.errors)")
      #expect(meeting.clients.stops.count == 1)
    }
  }

  @Test func `carillon tail leaves the meeting when the reader of its output closes the pipe`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start("tail", "m-1", "--topic", "chat", readBy: "head -n 1")
      meeting.clients.say(.messages(1...2))
      let run = await running.end()
      #expect(run.output == ["00:00:01.001  Bob  chat  1/1"])
      #expect(run.exit == .status(0))
      #expect(meeting.clients.stops.count == 1)
    }
  }

  // MARK: Join

  @Test func `without a terminal, carillon join prints arrivals and departures as lines`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start(
        "join", "m-1", "--topic", "chat", "--output", "json")
      try await running.says(#"{"event": "started"}"#)
      meeting.clients.say(Self.joined("b-2", "ben"))
      meeting.clients.say(.messages(1...1))
      try await running.says(#""event": "message""#)
      running.child.signal(SIGINT)
      let run = await running.end()
      #expect(run.exit == .status(0))
      #expect(
        run.output.contains(
          #"{"event": "joined", "attendee_id": "b-2", "external_user_id": "ben"}"#))
      #expect(
        run.output.last
          == #"{"event": "ended", "session_status": 0, "session_status_name": "ok"}"#)
    }
  }

  @Test func `a name in a line cannot control the terminal`() async throws {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start("join", "m-1", "--plain")
      try await running.says("started")
      meeting.clients.say(Self.joined("b-2", "ben\u{1B}[2J\nended"))
      try await running.says("b-2")
      running.child.signal(SIGINT)
      let run = await running.end()
      #expect(!run.output.joined().unicodeScalars.contains("\u{1B}"), "\(run.output)")
      #expect(run.output.contains { $0.hasSuffix(#"joined  b-2  ben\u{1b}[2J\nended"#) })
    }
  }

  // MARK: Transcripts

  @Test func `transcripts go to standard output and events to standard error`()
    async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start("transcript", "follow", "m-1", "--count", "2")
      meeting.clients.say(
        .transcriptEvents(
          V1.TranscriptEvents(events: [
            .init(event: .status(.init(type: .started, eventTimeMs: 5)))
          ])))
      meeting.clients.say(Self.spoken("r-1", "hel", isPartial: true))
      meeting.clients.say(Self.spoken("r-2", "hello"))
      meeting.clients.say(Self.spoken("r-3", "again"))
      let run = await running.end()
      #expect(
        run.output == ["14:13:20.123  ben  hello", "14:13:20.123  ben  again"])
      #expect(run.errors.first == "started")
      #expect(run.errors.contains { $0.hasPrefix("transcription  started  5") })
      #expect(run.exit == .status(0))
    }
  }

  @Test func `partial results are written on request and do not count toward --count`() async throws
  {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start(
        "transcript", "follow", "m-1", "--count", "1", "--partials")
      meeting.clients.say(Self.spoken("r-1", "hel", isPartial: true))
      meeting.clients.say(Self.spoken("r-2", "hello"))
      let run = await running.end()
      #expect(
        run.output == ["14:13:20.123  ben  hel …", "14:13:20.123  ben  hello"])
    }
  }

  @Test func `captions start with a header, and JSON output starts with events`() async throws {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let captions = try await meeting.start(
        "transcript", "follow", "m-1", "--count", "1", "--format", "vtt")
      meeting.clients.say(Self.spoken("r-1", "hello"))
      let run = await captions.end()
      #expect(run.output.first == "WEBVTT")
      #expect(run.output.contains("<v ben>hello"))
    }
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let json = try await meeting.start(
        "transcript", "follow", "m-1", "--count", "1", "--format", "json")
      meeting.clients.say(Self.spoken("r-1", "hello"))
      let run = await json.end()
      #expect(run.output.first == #"{"event": "started"}"#)
      #expect(run.output.last?.contains(#""external_user_id": "ben", "text": "hello""#) == true)
      #expect(run.errors == [])
    }
  }

  @Test func `SubRip cues of a hostile utterance have two escaped lines of 42 characters`()
    async throws
  {
    // The text has 136 characters.
    let text =
      "one --> two <b>bold</b> {\\an8} and 00:00:01,000 --> 00:00:02,000 then a word of its own "
      + "and more words until the text is long enough now"
    try #require(text.count == 136)
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let captions = try await meeting.start(
        "transcript", "follow", "m-1", "--count", "1", "--format", "srt")
      meeting.clients.say(Self.spoken("r-1", text))
      let run = await captions.end()
      // Lines on standard output end with LF, so an empty line separates two cues.
      let cues = run.output.split(separator: "").map(Array.init)
      try #require(cues.count >= 2, "\(run.output)")
      for (index, cue) in cues.enumerated() {
        #expect(cue.first == "\(index + 1)")
        let times = cue.dropFirst().first ?? ""
        #expect(times.contains(/^[\d:]{8},\d{3} --> [\d:]{8},\d{3}$/), "\(times)")
        let lines = cue.dropFirst(2)
        #expect((1...2).contains(lines.count) && lines.first?.hasPrefix("ben: ") == true)
        #expect(lines.allSatisfy { $0.unicodeScalars.count <= 42 && !$0.contains("-->") })
      }
      let words = cues.map { cue in
        cue.dropFirst(2).joined(separator: " ").dropFirst("ben: ".count)
      }
      #expect(
        words.joined(separator: " ")
          == "one → two ‹b>bold‹/b> (\\an8} and 00:00:01,000 → 00:00:02,000 then a word of its own "
          + "and more words until the text is long enough now")
    }
  }

  @Test func `the requested language is sent to the gateway`() async throws {
    try await withScriptedMeeting { meeting in
      meeting.admit()
      let running = try await meeting.start(
        "transcript", "follow", "m-1", "--count", "1", "--language", "fr-FR")
      meeting.clients.say(Self.spoken("r-1", "bonjour"))
      _ = await running.end()
      #expect(meeting.clients.starts.entries.map(\.transcriptLanguage) == ["fr-FR"])
    }
  }
}
