import Bus
import Foundation
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

/// A separate `media` process. This program acts as the gateway for `media`.
actor MediaProcess: AudioMeeting.Server {
  /// The directory of the process's sockets.
  nonisolated let directory: String

  /// The process's port on loopback TCP for clients.
  nonisolated let port: Int
  private let process: ServerProcess
  private let thread: SocketThread
  private let context: ZMQContext
  private var channel: RequestChannel?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// The session data that a client needs.
  struct Session: Sendable {
    let meeting: MeetingID
    let id: [UInt8]
    let participant: String
    let ticket: [UInt8]

    /// The SSRC of the client's audio.
    let ssrc: UInt32

    /// The client's line in the format of `Peers/crowd`.
    var line: String {
      ticket.map { String(format: "%02x", $0) }.joined() + " \(ssrc)\n"
    }
  }

  private init(_ flags: [String], in directory: String, on thread: SocketThread) throws {
    guard let binaries = ProcessInfo.processInfo.environment["CARILLON_BINARIES"] else {
      throw BenchError.missing("The directory of the services")
    }
    self.directory = directory
    self.thread = thread
    context = try ZMQContext()
    port = try LocalSocket.freePort()
    process = ServerProcess(
      "media-a",
      [
        "\(binaries)/media", "--instance", "media-a", "--gateway-grace-seconds", "300",
        "--listen-tcp", "127.0.0.1:\(port)", "--runtime-dir", "\(directory)/run", "--data-dir",
        "\(directory)/data",
      ] + flags, logPath: "\(directory)/media-a.log", on: thread)
  }

  /// Runs the process during `body`.
  static func hold<Result: Sendable>(
    _ flags: [String] = [], _ body: (MediaProcess) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { directory in
      let thread = SocketThread(name: "media")
      defer {
        thread.stop()
        thread.join()
      }
      let media = try MediaProcess(flags, in: directory, on: thread)
      do {
        try await media.begin()
        let result = try await body(media)
        try await media.end()
        return result
      } catch {
        say(media.process.log)
        try? await media.end()
        throw error
      }
    }
  }

  private func begin() async throws {
    try await process.start()
    let process = process
    let place = LocalHTTP.Place.unixSocket(path: "\(directory)/run/media-a.http.sock")
    try await eventually("media to be ready", within: .seconds(20)) {
      guard process.isRunning else { throw BenchError.ended(process.name) }
      return (try? await LocalHTTP.ask("GET", "/readyz", at: place))?.status == 200
    }
    channel = try RequestChannel(
      to: .ipc("\(directory)/run/media-a.rpc.sock"), in: context, on: thread)
  }

  private func end() async throws {
    channel?.close()
    channel = nil
    try await process.kill()
  }

  // MARK: The work of a gateway

  private func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws -> Reply {
    guard let channel else { throw BenchError.closed }
    return try await channel.call(method, request, CallOptions(timeout: .seconds(20)))
  }

  /// Admits a participant whose audio has one channel at 48 kHz.
  ///
  /// - Parameter replica: The replica from which the participant watches the meeting, if any.
  func admit(to meeting: MeetingID, from replica: MeetingID? = nil) async throws -> Session {
    let (id, ticket) = (SessionID.random().bytes, SessionID.random().bytes)
    let participant = AttendeeID.random().text
    let reply = try await call(
      V1.MediaMethods.admit,
      V1.AdmitRequest(
        meetingID: meeting.text, sessionID: id,
        attendee: V1.AttendeeInfo(attendeeID: participant, externalUserID: "somebody"),
        ticket: ticket, replicaMeetingID: replica?.text ?? "", audioMode: .mono48K,
        gateway: "gateway-a", gatewayRun: 1))
    return Session(
      meeting: meeting, id: id, participant: participant, ticket: ticket,
      ssrc: reply.format?.audioSendSSRC ?? 0)
  }

  /// Answers the WebRTC offer of a session.
  ///
  /// - Parameters:
  ///   - layers: The SSRCs of the video that the session sends.
  ///   - tracks: The SSRCs of the videos that the session receives.
  func answer(
    _ offer: String, of session: Session, layers: [UInt32] = [], tracks: [UInt32] = []
  ) async throws -> String {
    try await call(
      V1.MediaMethods.negotiate,
      V1.NegotiateRequest(
        meetingID: session.meeting.text, sessionID: session.id, offer: offer,
        tracks: tracks.map { V1.NegotiatedTrack(trackSSRC: $0) }, layerSSRCs: layers)
    ).answer
  }

  func admit(
    _ count: Int, to meeting: MeetingID, from replica: MeetingID? = nil
  ) async throws -> [Session] {
    var sessions: [Session] = []
    for _ in 0..<count { sessions.append(try await admit(to: meeting, from: replica)) }
    return sessions
  }

  /// Returns, for the first participant of each meeting, the smallest depth of the jitter buffer in
  /// each period, in microseconds. At least this much audio was in the buffer whenever `media` made
  /// a mix.
  ///
  /// - Returns: A row for each meeting, with one value per period.
  func leastDepths(
    of meetings: [MeetingID], times: Int, each time: Duration
  ) async throws -> [[Double]] {
    var depths = meetings.map { _ in [Double](repeating: .infinity, count: times) }
    let began = ContinuousClock.now
    while case let current = Int((ContinuousClock.now - began) / time), current < times {
      for (index, meeting) in meetings.enumerated() {
        let statistics = try await call(
          V1.MediaMethods.getStatistics, V1.GetMediaStatisticsRequest(meetingID: meeting.text))
        guard let talker = statistics.participants.first else { continue }
        depths[index][current] = min(
          depths[index][current], Double(talker.jitterBufferMs) * 1_000)
      }
      try await Task.sleep(for: .milliseconds(13))
    }
    return depths
  }

  // MARK: Costs

  /// Returns the process's processor time, in microseconds.
  nonisolated func used() throws -> Double { try ProcessTime.microseconds(of: processID) }

  /// Returns the process's proportional set size, in KB.
  nonisolated func memory() throws -> Double {
    try ProcessMemory.proportionalKilobytes(of: processID)
  }

  nonisolated var processID: Int {
    get throws {
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: "\(directory)/run")
      guard let instance = try registry.instances(of: "media").first else {
        throw BenchError.missing("The process id of media")
      }
      return Int(instance.processID)
    }
  }
}
