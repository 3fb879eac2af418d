internal import CarillonClientCore
internal import RTP
internal import Synchronization
internal import ZeroMQ

/// The media of one session: the connection to `media`, the streams and the clock. Runs on the
/// media thread.
///
/// The clock ticks every 20 ms of monotonic time after the first `move(to:)`. Each tick sends and
/// plays audio, and checks the frames that wait for lost packets. After a delay, the session runs
/// the missed ticks, so that the clock does not drift. If the session missed more than ten ticks,
/// the session skips the missed ticks instead.
actor ClientMediaSession {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  struct ReceivedVideo {
    var receiver: RemoteVideoTrackReceiver
    let decoding: VideoDecoderQueue
  }

  nonisolated let thread: SocketThread
  let context: ZMQContext
  let audio: MediaAudio
  let log: SessionLogger
  private nonisolated let inbox = Mutex<[MediaThreadCommand]>([])
  let start = ContinuousClock.now

  var delegate: (any MediaEngineDelegate)?
  var settings = SessionMediaSettings()
  var place: MediaEndpoint?
  var connection: MediaConnection?
  var isMuted = false
  var sender: AudioSender?
  var receiver: AudioReceiver?
  var encoding: VideoEncoderQueue?
  var streams: [VideoSendStream] = []
  var received: [UInt32: ReceivedVideo] = [:]
  var tracks: [RemoteVideoTrack] = []
  /// The sinks of encoded frames, by tile id.
  var deliveries: [Int: EncodedVideoDelivery] = [:]
  var numbers = SystemRandomNumberGenerator()
  var reports = RTCPWriter()

  // The congestion control.
  var arrivals = ArrivalLog()
  var ticksSinceFeedback = 0
  var uplink = VideoUplink()
  var allocation = UplinkAllocation()
  var lastFrameSent: MonotonicTime?

  // The clock.
  private let alarm: ThreadTimer
  private var nextTick = ContinuousClock.now
  private var ticks = 0

  // The measurements.
  var roundTrip: Int64 = 0
  var serverFigures = ServerMeasuredMetrics()
  var lastTotals = MediaTotals()
  var lastMeasured: MonotonicTime?
  var goneTotals = MediaTotals()
  var health = ConnectionHealth()
  var unboundSince: MonotonicTime?
  var isLossReported = false

  static let tickInterval = Duration.milliseconds(20)
  /// The number of ticks between two measurements. These ticks take a little over a second, because
  /// observers receive metrics only when more than a second has passed.
  static let ticksPerSecond = 51
  private static let mostLateTicks = 10

  /// The shortest pause of the clock that the session reports as an interruption. The clock pauses
  /// while the process does not run or the machine is too busy.
  static let interruptionTime = Duration.seconds(1)

  /// The time without a connection to `media` after which the session reports the loss of the
  /// connection.
  static let dropTime = Duration.seconds(5)

  init(audio: MediaAudio, in context: ZMQContext, on thread: SocketThread, log: SessionLogger) {
    self.audio = audio
    self.context = context
    self.thread = thread
    self.log = log
    alarm = ThreadTimer(on: thread)
  }

  /// The time of the current turn of the thread's loop.
  var now: MonotonicTime { MonotonicTime(thread.now - start) }

  // MARK: Commands

  /// Posts a command to the thread. Any thread may call this method.
  nonisolated func post(_ command: MediaThreadCommand) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(command)
      return inbox.count == 1
    }
    guard isFirst else { return }
    Task(executorPreference: thread) { await self.takeCommands() }
  }

  /// Executes the waiting commands.
  func settle() { takeCommands() }

  private func takeCommands() {
    let commands = inbox.withLock { inbox in
      defer { inbox = [] }
      return inbox
    }
    for command in commands { take(command) }
  }

  private func take(_ command: MediaThreadCommand) {
    switch command {
    case .begin(let delegate, let settings):
      // The program may have added sinks before this start.
      reset()
      self.delegate = delegate
      self.settings = settings
    case .move(let place): move(to: place)
    case .mute(let isMuted): self.isMuted = isMuted
    case .receive(let tracks): setReceived(tracks)
    case .addSink(let sink, let tileId): addSink(sink, tileId)
    case .removeSink(let sink, let tileId): removeSink(sink, tileId)
    case .publish(let encoding): publish(encoding)
    case .send(let outputs, let number): send(outputs, of: number)
    case .undecodable(let ssrc): received[ssrc]?.receiver.frameWasUndecodable()
    case .take(let figures): serverFigures = figures
    case .end: end()
    }
  }

  // MARK: The connection

  private func move(to place: MediaEndpoint) {
    guard delegate != nil, place != self.place else { return }
    let isSameFormat = place.format == self.place?.format
    if place.term != self.place?.term { restartReceived() }
    self.place = place
    connection?.close()
    connection = nil
    unboundSince = unboundSince ?? now
    if !isSameFormat { makeStreams(place.format) }
    do {
      let connection = try MediaConnection(
        to: place.endpoint, ticket: place.ticket, in: context, on: thread)
      connection.onPacket = { [unowned self] packet in
        // The session closes this connection when the session ends. So this closure never runs
        // after the end of the session.
        receive(packet)
      }
      connection.onBoundChange = { [unowned self] isBound in
        assumeIsolated { $0.boundDidChange(isBound) }
      }
      self.connection = connection
    } catch {
      log.error("Media cannot be reached: \(error)")
    }
    if !alarm.isSet { startClock() }
  }

  private func boundDidChange(_ isBound: Bool) {
    forgetLinks()
    guard isBound else {
      unboundSince = now
      encoding?.setActive(false)
      return
    }
    if let since = unboundSince {
      delegate?.mediaPathDidOpen(afterMs: now.microseconds(since: since) / 1000)
    }
    unboundSince = nil
    if isLossReported {
      isLossReported = false
      delegate?.mediaConnectionDidChange(isLost: false)
    }
    // The encoders begin with key frames, because the new receivers have not received any frame.
    encoding?.setActive(place?.format.vp8 != nil)
  }

  /// Resets the congestion control, because a new connection may take another path.
  private func forgetLinks() {
    (arrivals, uplink, allocation) = (ArrivalLog(), VideoUplink(), UplinkAllocation())
  }

  private func makeStreams(_ format: MediaRTPParameters) {
    countGone()
    sender = nil
    receiver = nil
    if settings.hasAudio, let opus = format.opus {
      if settings.sendsAudio, format.audioSent != 0 {
        sender = AudioSender(audio.source, format, payloadType: opus, settings, numbers: &numbers)
      }
      receiver = AudioReceiver(audio.sink, isStereo: settings.audioMode == .stereo48K)
    }
    makeVideoStreams()
  }

  private func end() {
    reset()
    for delivery in deliveries.values { delivery.close() }
    deliveries = [:]
  }

  /// Ends everything except the deliveries to the sinks.
  private func reset() {
    alarm.cancel()
    connection?.close()
    connection = nil
    encoding?.close()
    encoding = nil
    for video in received.values { video.decoding.close() }
    (received, tracks, streams) = ([:], [], [])
    (place, delegate, sender, receiver) = (nil, nil, nil, nil)
    (lastTotals, goneTotals, lastMeasured) = (MediaTotals(), MediaTotals(), nil)
    (serverFigures, health, isMuted) = (ServerMeasuredMetrics(), ConnectionHealth(), false)
    (unboundSince, isLossReported, roundTrip) = (nil, false, 0)
    forgetLinks()
  }

  // MARK: The clock

  private func startClock() {
    nextTick = thread.now
    ticks = 0
    tick()
  }

  private func tick() {
    let clock = ContinuousClock.now
    if settings.hasAudio, clock - nextTick > Self.interruptionTime {
      delegate?.audioWasInterrupted()
    }
    if clock - nextTick > Self.tickInterval * Self.mostLateTicks { nextTick = clock }
    while nextTick <= clock {
      nextTick += Self.tickInterval
      ticks += 1
      tickAudio()
      tickVideo()
      tickUplink()
      tickFeedback()
      if ticks % Self.ticksPerSecond == 0 { tickSecond() }
    }
    alarm.set(after: nextTick - ContinuousClock.now) { [self] in
      // `end()` cancels the alarm.
      assumeIsolated { $0.tick() }
    }
  }
}
