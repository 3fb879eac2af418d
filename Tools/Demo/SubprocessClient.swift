internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Synchronization

/// A client in a separate process. The process prints the client's events as JSON, one object per
/// line.
final class SubprocessClient: ObservedClient {
  let name: String
  let attendeeID: String
  let journal = ClientJournal()
  private let command: ChildCommand
  private let spawner: ProcessSpawner
  private let process = Mutex<ChildProcess?>(nil)
  private let complaints = Mutex<[String]>([])

  init(
    name: String, attendeeID: String, command: ChildCommand, spawner: ProcessSpawner
  ) {
    self.name = name
    self.attendeeID = attendeeID
    self.command = command
    self.spawner = spawner
  }

  /// The commands of the Python client.
  enum PythonProgram: String {
    /// Prints the attendees who join and leave, and executes the commands on standard input.
    case watch
    /// Prints all data messages.
    case tail
    /// Prints the transcript.
    case transcripts
    /// Sends a test pattern as camera video.
    case camera
    /// Prints the number of received pictures.
    case view

    /// The options that the demo passes to the command.
    fileprivate var options: [String] {
      switch self {
      case .watch, .tail, .view: []
      case .transcripts: ["--format", "json", "--partials"]
      case .camera: ["--codec", "h264"]
      }
    }
  }

  /// Returns the Python client, `python -m carillon`.
  static func python(
    _ interpreter: String, _ program: PythonProgram, meetingID: String, attendee: AttendeeName,
    tokenFile: String,
    gateway: String, environment: [String: String], spawner: ProcessSpawner
  ) -> SubprocessClient {
    let arguments = pythonArguments(
      program, meetingID: meetingID, attendee: attendee, tokenFile: tokenFile, gateway: gateway)
    return SubprocessClient(
      name: attendee.externalUserID, attendeeID: attendee.attendeeID,
      command: ChildCommand(interpreter, arguments, environment: environment), spawner: spawner)
  }

  /// Returns the arguments of the Python interpreter.
  static func pythonArguments(
    _ program: PythonProgram, meetingID: String, attendee: AttendeeName, tokenFile: String,
    gateway: String
  ) -> [String] {
    [
      "-m", "carillon", program.rawValue, "--gateway", gateway, "--meeting", meetingID,
      "--attendee", attendee.attendeeID, "--external-user-id", attendee.externalUserID,
      "--token-file", tokenFile,
    ] + program.options
  }

  /// Returns the Swift client, `carillon join`.
  static func swift(
    meetingID: String, attendee: AttendeeName, tokenFile: String, gateway: String,
    environment: [String: String], spawner: ProcessSpawner
  ) -> SubprocessClient {
    let arguments = [
      "join", meetingID, "--gateway", gateway, "--attendee", attendee.attendeeID, "--user",
      attendee.externalUserID, "--token-file", tokenFile, "--output", "json",
    ]
    return SubprocessClient(
      name: attendee.externalUserID, attendeeID: attendee.attendeeID,
      command: ChildCommand(OwnExecutable.path, arguments, environment: environment),
      spawner: spawner)
  }

  func start() async throws {
    let child = try await spawner.start(
      command, takesInput: true,
      onLine: { [weak self] line in
        switch line.stream {
        case .output: self?.hear(line.text)
        case .error: self?.complaints.withLock { $0 = ($0 + [line.text]).suffix(20) }
        }
      }, onEnd: { [journal] _ in journal.close() })
    process.withLock { $0 = child }
  }

  /// The transcript that this client received.
  var transcript: TranscriptReader {
    TranscriptReader(name) { [journal] in
      journal.entries(from: 0).compactMap { entry in
        if case .transcript(let line) = entry.event { (line, entry.time) } else { nil }
      }
    }
  }

  /// The last lines that the process wrote to standard error.
  var lastWords: String { complaints.withLock { $0.joined(separator: "\n") } }

  func setMuted(_ isMuted: Bool) -> Bool {
    guard let child = process.withLock({ $0 }), child.isRunning else { return false }
    child.write(line: isMuted ? "mute" : "unmute")
    return true
  }

  /// Kills the process, so that the client cannot notify the server that it leaves.
  func kill() async {
    guard let child = process.withLock({ $0 }) else { return }
    child.signal(SIGKILL)
    _ = await child.exit
  }

  func stop() async { await kill() }

  private func hear(_ line: String) {
    guard let said = try? JSONDecoder().decode(ClientOutputLine.self, from: Data(line.utf8)) else {
      return
    }
    for event in said.events { journal.record(event) }
  }
}

/// A line that a client process prints, with the members that the demo reads.
private struct ClientOutputLine: Decodable {
  let event: String
  let attendeeID: String?
  let externalUserID: String?
  let isMuted: Bool?
  let sessionStatus: Int?
  let sessionStatusName: String?
  let topic: String?
  let base64: String?
  let senderAttendeeID: String?
  let senderExternalUserID: String?
  let sequence: UInt64?
  let type: String?
  let eventTimeMs: Int64?
  let message: String?
  let resultID: String?
  let isPartial: Bool?
  let startTimeMs: Int64?
  let endTimeMs: Int64?
  let text: String?
  let languageCode: String?
  let alternatives: [Alternative]?

  struct Alternative: Decodable {
    let items: [Item]
  }

  struct Item: Decodable {
    let attendee: Attendee
  }

  struct Attendee: Decodable {
    let attendeeID: String
    let externalUserID: String

    enum CodingKeys: String, CodingKey {
      case attendeeID = "attendee_id"
      case externalUserID = "external_user_id"
    }
  }

  enum CodingKeys: String, CodingKey {
    case event
    case attendeeID = "attendee_id"
    case externalUserID = "external_user_id"
    case isMuted = "is_muted"
    case sessionStatus = "session_status"
    case sessionStatusName = "session_status_name"
    case topic, base64, sequence, type, message, text, alternatives
    case eventTimeMs = "event_time_ms"
    case resultID = "result_id"
    case isPartial = "is_partial"
    case startTimeMs = "start_time_ms"
    case endTimeMs = "end_time_ms"
    case languageCode = "language_code"
    case senderAttendeeID = "sender_attendee_id"
    case senderExternalUserID = "sender_external_user_id"
  }

  var events: [ObservedEvent] {
    switch event {
    case "started": return [.started]
    case "reconnecting": return [.reconnecting]
    case "reconnected": return [.reconnected]
    case "ended", "failed":
      return [.ended(status: sessionStatus ?? 0, name: sessionStatusName ?? "")]
    case "message": return dataMessage.map { [.message($0)] } ?? []
    case "transcription_status", "transcript_result":
      return transcript.map { [.transcript($0)] } ?? []
    default:
      guard let change = ObservedEvent.Change(rawValue: event), let attendeeID else { return [] }
      let attendee = AttendeeName(attendeeID: attendeeID, externalUserID: externalUserID ?? "")
      let isMutedAlready = change == .joined && isMuted == true
      return [.attendee(change, attendee)] + (isMutedAlready ? [.attendee(.muted, attendee)] : [])
    }
  }

  private var transcript: TranscriptLine? {
    if let type {
      return .status(name: type.lowercased(), timeMs: eventTimeMs ?? 0, message: message)
    }
    guard let resultID, let isPartial, let startTimeMs, let endTimeMs else { return nil }
    let speaker = alternatives?.first?.items.first?.attendee
    return .result(
      SpokenResult(
        id: resultID, isPartial: isPartial, startMs: startTimeMs, endMs: endTimeMs,
        speaker: AttendeeName(
          attendeeID: speaker?.attendeeID ?? "", externalUserID: speaker?.externalUserID ?? ""),
        text: text ?? "", language: languageCode))
  }

  private var dataMessage: DisplayedDataMessage? {
    guard let topic, let sequence, let data = base64.flatMap({ Data(base64Encoded: $0) }) else {
      return nil
    }
    let sender = AttendeeName(
      attendeeID: senderAttendeeID ?? "", externalUserID: senderExternalUserID ?? "")
    return DisplayedDataMessage(
      topic: topic, data: [UInt8](data), sender: sender, sequence: sequence)
  }
}
