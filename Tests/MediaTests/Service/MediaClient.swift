import Opus
import RTP
import TestSupport
import Trials
import ZeroMQ

@testable import Media

/// A client on media's packet endpoint: a bare socket that sends audio and video and records
/// arrivals.
actor MediaClient {
  /// A sound of 20 ms from the mix.
  struct Sound: Sendable {
    let packet: RTPPacket
    let samples: [Int16]
  }

  /// The tickets that media echoed.
  nonisolated let answers = AwaitableEntryList<[UInt8]>()
  nonisolated let sounds = AwaitableEntryList<Sound>()

  /// Whole video packets.
  nonisolated let videos = AwaitableEntryList<[UInt8]>()

  /// The SSRCs for which media requested key frames.
  nonisolated let keyFrameRequests = AwaitableEntryList<UInt32>()

  /// Whole RTCP compounds.
  nonisolated let control = AwaitableEntryList<[UInt8]>()

  /// One entry for each established connection; in `losses`, one entry for each lost connection.
  nonisolated let connections = AwaitableEntryList<Int>()
  nonisolated let losses = AwaitableEntryList<Int>()

  let guest: Guest
  private nonisolated let thread: SocketThread
  private var socket: Socket?
  private var watch: PollWatchID?
  private var monitor: SocketMonitorID?
  private var turns: [Int: Turn] = [:]
  private var lastTurn = 0
  private var ear: AudioRoom.Ear
  private var publisher: VideoPublisher?
  private var sentAudio = 0
  private var isSpeaking = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ guest: Guest, on thread: SocketThread) throws {
    (self.guest, self.thread) = (guest, thread)
    ear = try AudioRoom.Ear()
  }

  // MARK: The connection

  func open(at endpoint: Endpoint, in context: ZMQContext, receiving limit: Int? = nil) throws {
    let socket = try Socket(.dealer, in: context)
    try socket.set(.linger(.zero))
    // Tests send thousands of packets without pauses. Without a high-water mark, the socket keeps
    // all packets while media is slow.
    try socket.set(.sendHighWaterMark(0))
    if let limit { try socket.set(.receiveHighWaterMark(limit)) }
    monitor = try thread.monitor(socket) { [connections, losses] event in
      switch event {
      case .handshakeSucceeded: connections.append(1)
      case .disconnected: losses.append(1)
      default: break
      }
    }
    try socket.connect(to: endpoint)
    self.socket = consume socket
    read(true)
  }

  /// Starts or stops reading. Unread packets stay in the socket.
  func read(_ isReading: Bool) {
    if let watch { thread.unwatch(watch) }
    watch = nil
    guard isReading else { return }
    switch socket {
    case .some(let socket):
      watch = thread.watch(socket) { [unowned self] in receive() }
    case .none: break
    }
  }

  /// Closes the socket without a message to the peer, as if the process had been killed.
  func close() {
    for timer in turns.values.compactMap(\.timer) { thread.cancel(timer) }
    turns = [:]
    isSpeaking = false
    publisher = nil
    if let watch { thread.unwatch(watch) }
    if let monitor { thread.stopMonitoring(monitor) }
    (watch, monitor) = (nil, nil)
    socket = nil
  }

  func send(_ frames: [UInt8]...) { _ = try? socket?.send(frames.map { MessageFrame($0) }) }

  func send(_ frames: [[UInt8]]) { _ = try? socket?.send(frames.map { MessageFrame($0) }) }

  /// Sends a ticket, and waits until media echoes the ticket. All earlier packets from media arrive
  /// before the echo.
  func show(_ ticket: [UInt8]? = nil) async throws {
    let ticket = ticket ?? guest.ticket()
    let count = answers.entries.count { $0 == ticket }
    send(ticket)
    try await answers.wait(for: "the ticket of \(guest.number)") { answers in
      answers.count { $0 == ticket } > count
    }
  }

  private func receive() {
    while let frames = try? socket?.receive() {
      for frame in frames { take(frame.bytes) }
    }
  }

  private func take(_ bytes: [UInt8]) {
    if RTPPacket.isRTCP(bytes.span) { return takeControl(bytes) }
    // In these tests, the first two bits of a ticket never equal the version of RTP.
    guard let packet = RTPPacket(bytes.span) else { return answers.append(bytes) }
    guard packet.payloadType == PayloadTypes.opus else { return videos.append(bytes) }
    var samples = [Int16](repeating: 0, count: 960)
    var room = samples.mutableSpan
    _ = try? ear.decoder.decode(bytes.span.extracting(packet.payload), into: &room)
    sounds.append(Sound(packet: packet, samples: samples))
  }

  private func takeControl(_ bytes: [UInt8]) {
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes.span) {
      guard case .pictureLoss(_, let media) = packet else { continue }
      for index in publisher?.layers.indices ?? 0..<0
      where publisher?.layers[index].ssrc == media {
        publisher?.layers[index].needsKeyFrame = true
      }
      keyFrameRequests.append(media)
    }
    control.append(bytes)
  }

  // MARK: Audio

  /// Sends a sound in real time until the test stops the client.
  ///
  /// - Parameter interval: The client drops one of every `interval` packets; 0 for no loss.
  func speak(_ signal: AudioSignal, losingEvery interval: Int = 0) throws {
    var settings = OpusSettings()
    settings.channels = signal.channels
    let encoder = try AudioRoom.EncoderBox(settings)
    isSpeaking = true
    every(.milliseconds(20)) { client in
      guard client.isSpeaking else { return false }
      let isLost = interval > 0 && client.sentAudio % interval == interval - 1
      client.say(signal, with: encoder, isLost: isLost)
      return true
    }
  }

  func fallSilent() { isSpeaking = false }

  private func say(_ signal: AudioSignal, with encoder: AudioRoom.EncoderBox, isLost: Bool) {
    let start = sentAudio * 960
    let frame = signal.samples(start..<start + 960)
    var bytes = [UInt8](repeating: 0, count: 1_275)
    var room = bytes.mutableSpan
    guard let count = try? encoder.encoder.encode(frame.span, into: &room) else { return }
    let level = AudioLevel(
      attenuation: Loudness(of: frame, count: frame.count).attenuation, isSpeech: true)
    let packet = packet(Array(bytes.prefix(count)), level: level)
    if !isLost { send(packet) }
  }

  /// Returns the next packet of the client's audio stream.
  func packet(_ payload: [UInt8], level: AudioLevel? = nil) -> [UInt8] {
    var packet: [UInt8] = []
    let header = OutgoingRTPHeader(
      payloadType: PayloadTypes.opus,
      sequence: SequenceNumber(UInt16(truncatingIfNeeded: sentAudio)),
      timestamp: UInt32(sentAudio) * 960, ssrc: guest.ssrc)
    if let level {
      header.begin(in: &packet) { level.append(to: &$0, id: PayloadTypes.audioLevelExtension) }
    } else {
      header.begin(in: &packet)
    }
    sentAudio += 1
    return packet + payload
  }

  // MARK: Video

  /// Sends the frames of a camera in real time.
  func film(_ camera: VideoPublisher, framesPerSecond: Int = 30) {
    publisher = camera
    every(.milliseconds(1_000 / framesPerSecond)) { client in
      guard let packets = client.publisher?.nextFrame() else { return false }
      for packet in packets { client.send(packet) }
      return true
    }
  }

  // MARK: Time

  /// Work that the client repeats at fixed times, without drift, until the work returns false.
  private struct Turn {
    let interval: Duration
    let body: (isolated MediaClient) -> Bool
    var next: ContinuousClock.Instant
    var timer: TimerID?
  }

  private func every(
    _ interval: Duration, _ body: @escaping (isolated MediaClient) -> Bool
  ) {
    lastTurn += 1
    turns[lastTurn] = Turn(interval: interval, body: body, next: thread.now)
    take(turn: lastTurn)
  }

  private func take(turn number: Int) {
    guard var turn = turns[number] else { return }
    guard socket != nil, turn.body(self) else {
      turns[number] = nil
      return
    }
    turn.next += turn.interval
    let delay = max(turn.next - ContinuousClock.now, .zero)
    turn.timer = thread.schedule(after: delay) { [unowned self] in
      assumeIsolated { $0.take(turn: number) }
    }
    turns[number] = turn
  }
}

extension [MediaClient.Sound] {
  /// Returns the amplitude of a tone in all sounds together.
  func amplitude(of frequency: Double) -> Double {
    AudioMeasure.amplitude(of: frequency, in: flatMap(\.samples))
  }
}
