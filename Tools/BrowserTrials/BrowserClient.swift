internal import LocalInstallation
internal import MeetingModel
package import MeetingViews
package import Output
internal import Synchronization
package import Wire

/// A client that comes to a meeting as a browser does: by WebSocket, with the frames of the
/// signaling protocol.
package final class BrowserClient: Sendable {
  package typealias Frame = Signaling.SdkSignalFrame

  /// All frames that came; closed when the connection is.
  package let journal = EventJournal<Frame>()
  private let url: String
  private let token: String
  private let socket = WebSocketClient()
  private let reading = Mutex<Task<Void, Never>?>(nil)

  /// What stands before a join token, in the list of sub-protocols.
  private static let marker = "_aws_wt_session"
  private static let limit = Duration.seconds(20)

  /// How long reading holds up a frame that is to be sent.
  private static let turn = Duration.milliseconds(20)

  /// - Parameter url: `ws://HOST:PORT/control/MEETING_ID`, as the meeting has it.
  package init(url: String, token: String) { (self.url, self.token) = (url, token) }

  /// Connects; what comes is in ``journal`` from now on.
  ///
  /// - Throws: ``CommandFailure`` for another URL, `HTTPError`.
  package func connect() async throws {
    guard let (address, path) = Self.place(url) else {
      throw CommandFailure.precondition("\(url) is no ws://HOST:PORT/control/MEETING_ID.")
    }
    try await socket.open(
      address, path: path, protocols: [Self.marker, token], within: Self.limit)
    let (socket, journal) = (socket, journal)
    reading.withLock { task in
      task = Task {
        while !Task.isCancelled, let message = try? await Self.next(from: socket) {
          let frame = message.isEmpty ? nil : try? Frame(packed: message)
          if let frame { journal.record(frame) }
        }
        journal.close()
      }
    }
  }

  /// The frame in the next message; empty if none came for now.
  private static func next(from socket: WebSocketClient) async throws(HTTPError) -> [UInt8] {
    Array((try await socket.receive(within: turn) ?? []).dropFirst())
  }

  /// Ends the connection without a word of the protocol. Nothing follows.
  package func hangUp() async {
    let task = reading.withLock { $0 }
    task?.cancel()
    await task?.value
    await socket.close()
  }

  /// Host and path of a signaling URL.
  static func place(_ url: String) -> (HTTPAddress, path: String)? {
    guard url.hasPrefix("ws://") else { return nil }
    let rest = url.dropFirst("ws://".count)
    guard let slash = rest.firstIndex(of: "/"),
      let address = HTTPAddress(url: "http://\(rest[..<slash])")
    else { return nil }
    return (address, String(rest[slash...]))
  }

  // MARK: What it says

  /// Sends a frame of this moment.
  package func send(
    _ kind: Frame.Kind, _ fill: (inout Frame) -> Void = { _ in }
  ) async throws {
    var frame = Frame(timestampMs: WallClock.nowMs, type: kind)
    fill(&frame)
    try await socket.send([5] + frame.packed(), within: Self.limit)
  }

  /// Joins, as a client that never was here before and wants no media.
  package func join() async throws {
    let session = UInt64.random(in: 1...UInt64(UInt32.max))
    try await send(.join) { frame in
      frame.join = .init(
        protocolVersion: 2, flags: 2, audioSessionID: session, wantsNoMedia: true)
    }
  }

  /// Sends a data message.
  package func write(_ text: String, on topic: String) async throws {
    try await send(.dataMessage) {
      $0.dataMessage = .init(messages: [.init(topic: topic, data: Array(text.utf8))])
    }
  }

  /// Asks to go; LEAVE_ACK is the answer.
  package func leave() async throws { try await send(.leave) { $0.leave = .init() } }

  // MARK: What it hears

  /// Waits for a frame.
  ///
  /// - Parameter mark: How many frames had come before it.
  /// - Throws: ``CommandFailure`` when none comes in time, or the connection ends before.
  @discardableResult
  package func hear(
    _ what: String, since mark: Int = 0, within limit: Duration = .seconds(20),
    where matches: @escaping @Sendable (Frame) -> Bool
  ) async throws(CommandFailure) -> Frame {
    if let entry = await journal.first(from: mark, until: .now + limit, where: matches) {
      return entry.event
    }
    let kinds = journal.entries(from: mark).map { "\($0.event.type)" }
    throw CommandFailure(
      code: "DEADLINE_EXCEEDED",
      message: "A browser did not hear within \(limit) that \(what); there were \(kinds).")
  }

  /// The names of those who are there by all that came so far.
  package var roster: Set<String> {
    var names: [UInt32: String] = [:]
    for stream in frames.flatMap({ $0.audioStreamIDInfo?.streams ?? [] }) {
      guard let number = stream.audioStreamID else { continue }
      if let name = stream.externalUserID {
        names[number] = name
      } else if stream.muted == nil {
        names[number] = nil
      }
    }
    return Set(names.values)
  }

  /// The texts of all data messages on a topic that came from others.
  package func texts(on topic: String) -> [String] {
    frames.flatMap { $0.dataMessage?.messages ?? [] }
      .filter { $0.topic == topic && $0.ingestTimeNs != 0 }
      .map { String(decoding: $0.data ?? [], as: UTF8.self) }
  }

  /// All that came so far.
  package var frames: [Frame] { journal.entries(from: 0).map(\.event) }
}
