import Foundation
import Opus
import RTP
public import Trials
public import Wire
public import ZeroMQ

/// A client's media connection that sends any amount of audio, whether or not the client may speak.
/// The connection records each packet of the mix.
public actor RawVoice {
  /// The peak amplitude of each packet of the mix, 0-1.
  public nonisolated let peaks = AwaitableEntryList<Double>()

  /// The tickets that media sent back.
  public nonisolated let tickets = AwaitableEntryList<[UInt8]>()

  /// The number of packets sent.
  public private(set) var sent = 0
  private nonisolated let thread: SocketThread
  private let ssrc: UInt32
  private let payloadType: UInt8
  private var encoder: OpusEncoder
  private var decoder: OpusDecoder

  /// The last ticket that the connection sent. The connection first compares received bytes with
  /// this ticket, because a ticket may look like a packet.
  private var shown: [UInt8] = []
  private var socket: Socket?
  private var watch: PollWatchID?
  private var timer: TimerID?

  /// The peak amplitude above which a packet contains a voice rather than noise.
  private static let loud = 0.05

  /// The maximum number of attempts to present the ticket, one every 200 ms.
  private static let mostShows = 75

  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Creates a connection that is not open.
  public init(_ format: V1.MediaFormat, on thread: SocketThread) throws {
    self.thread = thread
    ssrc = format.audioSendSSRC
    payloadType = UInt8(
      format.payloads.first { $0.encoding.lowercased() == "opus" }?.payloadType ?? 0)
    encoder = try OpusEncoder()
    decoder = try OpusDecoder()
  }

  /// Connects, and sends the newest ticket until media sends the same ticket back.
  public func open(
    at endpoint: String, in context: ZMQContext, showing ticket: () -> [UInt8]?
  ) async throws {
    let socket = try Socket(.dealer, in: context)
    try socket.set(.linger(.zero))
    watch = thread.watch(socket) { [unowned self] in assumeIsolated { $0.receive() } }
    // If the voice sent messages before the voice had a connection, libzmq would drop the messages.
    let connection = AwaitableEntryList<MonitorEvent>()
    _ = try thread.monitor(socket) { connection.append($0) }
    try socket.connect(to: Endpoint(endpoint))
    self.socket = consume socket
    try await connection.wait(for: "a connection to media") {
      $0.contains { if case .handshakeSucceeded = $0 { true } else { false } }
    }
    // After a restart of media, the gateway sends a new ticket.
    for _ in 0..<Self.mostShows {
      if let ticket = ticket() {
        shown = ticket
        try send(ticket)
        let isIn = try? await tickets.wait(for: "the ticket", within: .milliseconds(200)) {
          $0.contains(ticket)
        }
        if isIn != nil { return }
      } else {
        try await Task.sleep(for: .milliseconds(200))
      }
    }
    throw RawClient.Failure.noAnswer
  }

  // A test that fails early does not call close(). The open socket would then cause a trap, which
  // would hide the failure.
  isolated deinit { close() }

  /// Closes the connection.
  public func close() {
    if let watch { thread.unwatch(watch) }
    if let timer { thread.cancel(timer) }
    (watch, timer) = (nil, nil)
    socket = nil
  }

  /// Sends `count` packets of 20 ms of a tone without pauses.
  public func say(_ count: Int) throws {
    for _ in 0..<count {
      let frame = (0..<960).map { index in
        Int16(8_000 * sin(2 * .pi * 400 * Double(sent * 960 + index) / 48_000))
      }
      var packet: [UInt8] = []
      OutgoingRTPHeader(
        payloadType: payloadType, sequence: SequenceNumber(UInt16(truncatingIfNeeded: sent)),
        timestamp: UInt32(sent * 960), ssrc: ssrc
      ).begin(in: &packet)
      var payload = [UInt8](repeating: 0, count: 1_275)
      var room = payload.mutableSpan
      let size = try encoder.encode(frame.span, into: &room)
      try send(packet + payload.prefix(size))
      sent += 1
    }
  }

  /// Sends a packet of the tone every 20 ms until the end of the connection.
  public func talk() { talk(since: .now, saying: 1) }

  /// Sends each packet at a fixed time after the first packet. With pauses of 20 ms between
  /// packets, delays would add up, and packets would reach a jitter buffer later and later.
  private func talk(since start: ContinuousClock.Instant, saying number: Int) {
    try? say(1)
    let pause = start + .milliseconds(20 * number) - .now
    timer = thread.schedule(after: max(pause, .zero)) { [unowned self] in
      assumeIsolated { $0.talk(since: start, saying: number + 1) }
    }
  }

  /// Waits until a packet of the mix contains a voice.
  ///
  /// - Parameter mark: The number of earlier packets to ignore.
  public nonisolated func hears(since mark: Int) async throws {
    try await peaks.wait(for: "a voice") { $0.dropFirst(mark).contains { $0 > Self.loud } }
  }

  private func send(_ bytes: [UInt8]) throws { _ = try socket?.send([MessageFrame(bytes)]) }

  private func receive() {
    while let frames = try? socket?.receive() {
      for frame in frames { take(frame.bytes) }
    }
  }

  private func take(_ bytes: [UInt8]) {
    if bytes == shown { return tickets.append(bytes) }
    guard !RTPPacket.isRTCP(bytes.span), let packet = RTPPacket(bytes.span) else { return }
    var samples = [Int16](repeating: 0, count: OpusDecoder.maxSampleCount)
    var room = samples.mutableSpan
    let count = try? decoder.decode(bytes.span.extracting(packet.payload), into: &room)
    let peak = samples.prefix(count ?? 0).map { abs(Double($0)) / 32_768 }.max() ?? 0
    peaks.append(peak)
  }
}

extension RawClient {
  /// Runs `body` with the media connection that the gateway assigns to this session.
  public nonisolated func withVoice(
    in context: ZMQContext, _ body: (RawVoice) async throws -> Void
  ) async throws {
    let first = try await answer("media") { $0.moved != nil }
    guard let moved = first.moved, let format = moved.format else { throw Failure.noAnswer }
    let voice = try RawVoice(format, on: thread)
    do {
      try await voice.open(at: moved.endpoint, in: context) {
        answers.entries.compactMap(\.moved).last?.ticket
      }
      try await body(voice)
    } catch {
      await voice.close()
      throw error
    }
    await voice.close()
  }
}

extension RawClient.Answer {
  fileprivate var moved: V1.MediaMoved? {
    for case .mediaMoved(let moved) in events.compactMap(\.event) { return moved }
    return nil
  }
}
