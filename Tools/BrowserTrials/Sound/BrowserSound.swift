internal import Glibc
internal import LocalInstallation
internal import MeetingModel
internal import Opus
internal import Output
internal import RTP
internal import WebRTC
internal import ZeroMQ

/// The sound of a client that joins as a browser does: Opus over WebRTC in both directions.
///
/// The client sends a packet every 20 ms, as browsers do, also during silence. The client records
/// the sound that it receives. Neither direction needs an audio device.
package actor BrowserSound {
  private let thread = SocketThread(name: "browser-sound")
  private let transport: BrowserTransport
  private let ssrc = UInt32.random(in: 1 ..< .max)
  private var encoder: OpusEncoder
  private var decoder: OpusDecoder
  private var sequences = SequenceUnwrapper()
  private var recording: [Int16] = []
  private var words: ArraySlice<Int16> = []
  private var waitingCallers: [CheckedContinuation<Void, Never>] = []
  private var connecting: CheckedContinuation<Bool, Never>?
  private var timer: TimerID?
  private var firstPacketTime: ContinuousClock.Instant
  private var sentPackets = 0
  private var isClosed = false

  private static let period = Duration.milliseconds(20)
  private static let samplesPerPacket = 960
  private static let payloadType: UInt8 = 111
  private static let levelID: UInt8 = 1

  /// The maximum number of lost packets in a row that the recording conceals.
  private static let mostConcealed = 50

  /// - Throws: An error if OpenSSL or Opus lacks memory.
  package init() throws {
    let identity = try DTLSIdentity(at: Int64(WallClock.nowMs / 1_000))
    transport = BrowserTransport(identity, on: thread)
    encoder = try OpusEncoder()
    decoder = try OpusDecoder()
    firstPacketTime = .now
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  // MARK: - Connecting

  /// An offer (RFC 8829) with one section, for sound in both directions.
  package var offer: String {
    let type = Self.payloadType
    let lines =
      [
        "v=0", "o=- \(ssrc) 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
        "m=audio 9 UDP/TLS/RTP/SAVPF \(type)", "c=IN IP4 0.0.0.0",
        "a=rtcp:9 IN IP4 0.0.0.0",
      ] + transport.description + [
        "a=mid:0", "a=extmap:\(Self.levelID) urn:ietf:params:rtp-hdrext:ssrc-audio-level",
        "a=sendrecv", "a=rtpmap:\(type) opus/48000/2",
        "a=fmtp:\(type) minptime=10;useinbandfec=1", "a=ssrc:\(ssrc) cname:carillon", "",
      ]
    return lines.joined(separator: "\r\n")
  }

  /// Connects to the address in the server's answer, and waits until the DTLS handshake is
  /// complete.
  ///
  /// - Throws: ``CommandFailure`` if the answer is malformed or has no address to connect to, or if
  ///   the connection is not ready in time; `OpenSSLError` if OpenSSL is out of memory.
  package func connect(_ answer: String, within limit: Duration) async throws {
    do { try transport.connect(try SDPOffer(answer)) } catch let problem as SDPOffer.Problem {
      throw CommandFailure.precondition("The answer to a browser's offer is wrong: \(problem.text)")
    }
    transport.onReady = { [unowned self] in assumeIsolated { $0.begin() } }
    transport.onPacket = { [unowned self] bytes, count in
      assumeIsolated { $0.record(bytes, count) }
    }
    schedule()
    let isReady = await withCheckedContinuation { continuation in
      connecting = continuation
      _ = thread.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.giveUp() } }
    }
    guard isReady else {
      throw CommandFailure.unavailable(
        "A browser could not connect to media within \(limit): no answer to its checks, or no end "
          + "of the handshake.")
    }
  }

  private func begin() {
    (firstPacketTime, sentPackets) = (thread.now, 0)
    connecting?.resume(returning: true)
    connecting = nil
  }

  private func giveUp() {
    connecting?.resume(returning: false)
    connecting = nil
  }

  /// Sets the timer to the time of the next packet, or to an earlier time. With a constant
  /// interval, packets would be late by up to one interval, and the delay would vary.
  private func schedule() {
    let next = firstPacketTime + Self.period * sentPackets
    let wait = transport.isReady ? next - thread.now : Self.period / 2
    timer = thread.schedule(after: max(.zero, min(wait, Self.period / 2))) { [unowned self] in
      assumeIsolated { $0.advance() }
    }
  }

  private func advance() {
    transport.advance()
    while transport.isReady, thread.now >= firstPacketTime + Self.period * sentPackets { speak() }
    schedule()
  }

  /// Ends the connection without a message to the server. After this call, ``say(_:)`` returns
  /// immediately. Do not connect again.
  package func close() {
    if let timer { thread.cancel(timer) }
    (timer, isClosed) = (nil, true)
    transport.close()
    giveUp()
    finishWords()
  }

  // MARK: - Speaking

  /// Speaks: sends the samples in real time, and waits until the last sample is sent, or until the
  /// client is closed.
  ///
  /// - Parameter samples: One channel at 48 kHz.
  package func say(_ samples: [Int16]) async {
    guard !isClosed else { return }
    await withCheckedContinuation { continuation in
      words += samples
      waitingCallers.append(continuation)
    }
  }

  private func finishWords() {
    for caller in waitingCallers { caller.resume() }
    (words, waitingCallers) = ([], [])
  }

  private func speak() {
    let piece = Array(words.prefix(Self.samplesPerPacket))
    words = words.dropFirst(piece.count)
    let samples = piece + [Int16](repeating: 0, count: Self.samplesPerPacket - piece.count)
    var payload = [UInt8](repeating: 0, count: OpusEncoder.maxPacketBytes)
    var room = payload.mutableSpan
    // The encoder refuses only wrong numbers of samples, and `samples` always has the right number.
    let count = (try? encoder.encode(samples.span, into: &room)) ?? 0
    let number = SequenceNumber(UInt16(truncatingIfNeeded: sentPackets))
    let header = OutgoingRTPHeader(
      payloadType: Self.payloadType, sequence: number,
      timestamp: UInt32(truncatingIfNeeded: sentPackets * Self.samplesPerPacket), ssrc: ssrc)
    var packet: [UInt8] = []
    let level = Self.level(of: samples)
    header.begin(in: &packet) { level.append(to: &$0, id: Self.levelID) }
    transport.send(packet + payload.prefix(count))
    sentPackets += 1
    if words.isEmpty { finishWords() }
  }

  /// Returns the level of samples, in −dBov (RFC 6464).
  static func level(of samples: [Int16]) -> AudioLevel {
    let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    let attenuation = power > 0 ? -10 * log10(power / (32_768 * 32_768)) : 127
    return AudioLevel(
      attenuation: UInt8(min(max(attenuation.rounded(), 0), 127)), isSpeech: attenuation < 60)
  }

  // MARK: - Listening

  /// The current length of the recording, in samples at 48 kHz.
  package var mark: Int { recording.count }

  /// Returns the sound recorded since a mark: one channel at 48 kHz.
  package func sound(since mark: Int) -> [Int16] { Array(recording[mark...]) }

  private func record(_ bytes: [UInt8], _ count: Int) {
    guard let packet = RTPPacket(bytes.span.extracting(..<count)),
      packet.payloadType == Self.payloadType
    else { return }
    let last = sequences.highest
    let number = sequences.unwrap(packet.sequence)
    let lost = last.map { number - $0 - 1 } ?? 0
    // A packet that arrives after its successor is too late for the recording.
    guard lost >= 0 else { return }
    var room = [Int16](repeating: 0, count: OpusDecoder.maxSampleCount)
    for _ in 0..<min(Int(lost), Self.mostConcealed) {
      append(&room) { try decoder.conceal(sampleCount: Self.samplesPerPacket, into: &$0) }
    }
    append(&room) {
      try decoder.decode(bytes.span.extracting(packet.payload), into: &$0)
    }
  }

  private func append(
    _ room: inout [Int16], _ decode: (inout MutableSpan<Int16>) throws -> Int
  ) {
    var samples = room.mutableSpan
    let count = (try? decode(&samples)) ?? 0
    recording += room[..<count]
  }
}
