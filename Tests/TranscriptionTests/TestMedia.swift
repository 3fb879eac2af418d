import Bus
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

@testable import Transcription

/// The part of media that transcription uses: the speech of talkers, limited by credit.
actor TestMedia {
  enum Heard: Sendable, Hashable {
    case follow(credit: UInt32)
    case grant(UInt32)
    case cancel
  }

  nonisolated let heard = AwaitableEntryList<Heard>()
  private let thread = SocketThread(name: "media")
  private var server: RequestServer?
  private var heartbeat: TimerID?
  private var stream: ServerStream<V1.TalkerAudio>?
  private var streamID: [UInt8] = []
  private var spoken: [ParticipantID: (sequence: UInt64, time: UInt64)] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func open(_ endpoint: Endpoint) throws {
    let server = try RequestServer(at: [endpoint], in: try ZMQContext(), on: thread)
    server.on(V1.MediaMethods.streamTalkers) { [unowned self] request, stream in
      self.stream = stream
      streamID = request.streamID
      stream.onCancel = { [unowned self] in heard.append(.cancel) }
      heard.append(.follow(credit: request.credit))
    }
    server.on(V1.MediaMethods.grantTalkerCredit) { [unowned self] request, call in
      if request.streamID == streamID { heard.append(.grant(request.credit)) }
      call.reply(V1.GrantTalkerCreditReply())
    }
    self.server = server
  }

  /// Sends a heartbeat, as media does.
  func beat(_ registration: any InstanceRegistration) {
    try? registration.heartbeat()
    heartbeat = thread.schedule(after: .milliseconds(500)) { [unowned self] in
      assumeIsolated { $0.beat(registration) }
    }
  }

  func close() {
    if let heartbeat { thread.cancel(heartbeat) }
    heartbeat = nil
    server?.close()
    server = nil
    thread.stop()
  }

  func followed() async throws {
    try await heard.wait(for: "transcription to ask for speech") { heard in
      heard.contains { if case .follow = $0 { true } else { false } }
    }
  }

  /// Ends the stream, as if the process `media` had been killed.
  func breakStream() { stream?.end(Status(.unavailable, "Killed.")) }

  /// Sends speech of a speaker in chunks of 100 ms, followed by silence.
  func say(_ speaker: ParticipantIdentity, milliseconds: Int = 1_000, isLast: Bool = true) {
    for number in 0..<milliseconds / 100 {
      let isEnd = isLast && number == milliseconds / 100 - 1
      send([chunk(of: speaker, isLast: isEnd)], [MessageFrame(pcm: sound(milliseconds: 100))])
    }
  }

  /// Sends these samples of a speaker.
  func say(_ speaker: ParticipantIdentity, _ samples: [Int16], isLast: Bool) {
    var chunk = chunk(of: speaker, isLast: isLast)
    chunk.samples = UInt32(samples.count)
    send([chunk], [MessageFrame(pcm: samples)])
  }

  func chunk(of speaker: ParticipantIdentity, isLast: Bool = false) -> V1.TalkerChunk {
    let (sequence, time) = spoken[speaker.id] ?? (0, epoch)
    spoken[speaker.id] = (sequence + 1, time + 100)
    return V1.TalkerChunk(
      attendee: V1.AttendeeInfo(
        attendeeID: speaker.id.text, externalUserID: speaker.externalUserID.text,
        displayName: speaker.externalUserID.text + " Ł."),
      sequence: sequence + 1, startMs: time, samples: 1_600, isLast: isLast)
  }

  func send(_ chunks: [V1.TalkerChunk], _ raw: [MessageFrame]) {
    stream?.send(V1.TalkerAudio(chunks: chunks), raw: raw)
  }
}
