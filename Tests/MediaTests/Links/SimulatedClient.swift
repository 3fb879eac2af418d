import MeetingModel
import Opus
import RTP
import TestSupport

@testable import Media

/// A client of a `SimulatedMeeting`, over a link without a socket. The client sends audio and
/// video, requests missing packets, and acknowledges arrivals.
final class SimulatedClient {
  let number: Int
  let session: SessionID
  private(set) var link: MemoryLink
  var up: LossyPath
  private var down: LossyPath

  /// The pitch of the client's voice, in Hz; `nil` for a silent client.
  private let pitch: Double?
  private var encoder: OpusEncoder
  private var sequence = SequenceNumber(65_000)
  private var tick = 0

  /// The last sounds that the client sent, the newest first. If the link has a payload type for
  /// redundant audio, packets contain copies of these sounds.
  private var said: [[UInt8]] = []

  private(set) var camera: VideoPublisher?
  private var filmed: [UInt32: [UInt16: [UInt8]]] = [:]

  /// The packets of the client's mix, by their unwrapped numbers.
  private(set) var mix: [Int64: [UInt8]] = [:]
  private var mixNumbers = SequenceUnwrapper()
  private(set) var tracks: [UInt32: WatchedTrack] = [:]
  private(set) var receptionReports: [ReportBlock] = []

  /// The number of packets whose payload type does not match the content of the packet on this
  /// link.
  private(set) var misnumbered = 0

  /// The number of feedback packets on the client's video.
  private(set) var feedbacks = 0
  private var arrivals = ArrivalLog()

  /// The received estimates of another client's link. Each estimate names a source.
  private(set) var estimates: [(bits: UInt64, source: UInt32)] = []

  /// The SSRCs of the client's voice and of the client's mix.
  var voice: UInt32 { 100 + UInt32(number) }
  var hearing: UInt32 { 1_000 + UInt32(number) }

  init(
    _ number: Int, session: SessionID, speaking pitch: Double?, filming camera: VideoPublisher?,
    over impairment: Impairment, calling numbers: LinkRTPParameters
  ) throws {
    link = MemoryLink(numbers)
    (self.number, self.session, self.pitch, self.camera) = (number, session, pitch, camera)
    self.camera?.payloadType = numbers.vp8 ?? 0
    encoder = try OpusEncoder(OpusSettings())
    up = LossyPath(impairment.other(UInt64(2 * number)))
    down = LossyPath(impairment.other(UInt64(2 * number + 1)))
  }

  /// Replaces the connection.
  func reconnect() { (link, tracks) = (MemoryLink(link.numbers), [:]) }

  // MARK: Sending

  /// Sends the next 20 ms of sound.
  func speak(at now: MonotonicTime) throws {
    defer { tick += 1 }
    guard let pitch else { return }
    let frame = AudioSignal.tone(pitch).samples(tick * 960..<tick * 960 + 960)
    var payload = [UInt8](repeating: 0, count: 1_275)
    var room = payload.mutableSpan
    let count = try encoder.encode(frame.span, into: &room)
    var packet: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: link.numbers.redundantOpus ?? link.numbers.opus, sequence: sequence,
      timestamp: UInt32(tick * 960), ssrc: voice
    ).begin(in: &packet)
    sequence = sequence.advanced(by: 1)
    let sound = Array(payload.prefix(count))
    up.send(packet + (link.numbers.redundantOpus == nil ? sound : withCopies(sound)), at: now)
  }

  /// Returns a payload of RFC 2198: copies of the last two sounds, the older sound first, and then
  /// the new sound.
  private func withCopies(_ sound: [UInt8]) -> [UInt8] {
    defer { said = [sound] + said.prefix(1) }
    var headers: [UInt8] = []
    for (index, copy) in said.enumerated().reversed() {
      let word = UInt32(index + 1) * 960 << 10 | UInt32(copy.count)
      headers +=
        [0x80 | link.numbers.opus]
        + [16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    return headers + [link.numbers.opus] + said.reversed().joined() + sound
  }

  /// Sends the next video frame.
  func film(at now: MonotonicTime) {
    for packet in camera?.nextFrame() ?? [] {
      guard let numbers = RTPNumbers(packet) else { continue }
      filmed[numbers.ssrc, default: [:]][numbers.sequence] = packet
      up.send(packet, at: now)
    }
  }

  /// Requests missing packets and key frames, and reports arrivals.
  func report(at now: MonotonicTime) {
    var control = RTCPWriter()
    for ssrc in tracks.keys.sorted() {
      let missing = tracks[ssrc]?.takeMissing(at: now) ?? []
      if !missing.isEmpty { control.addNack(sender: voice, media: ssrc, missing: missing.span) }
      if tracks[ssrc]?.takeKeyFrameNeed(at: now) == true {
        control.addPictureLoss(sender: voice, media: ssrc)
      }
    }
    arrivals.takeFeedback(sender: voice, at: now, within: 1_200, into: &control)
    if !control.isEmpty { up.send(control.bytes, at: now) }
  }

  // MARK: Receiving

  /// Passes the packets of the client's link through the path, and receives the packets that have
  /// arrived.
  func receive(at now: MonotonicTime) {
    for packet in link.takeSent() { down.send(packet, at: now) }
    for packet in down.takeArrived(at: now) {
      if RTPPacket.isRTCP(packet.span) { takeControl(packet, at: now) } else { take(packet, now) }
    }
  }

  private func take(_ bytes: [UInt8], _ now: MonotonicTime) {
    guard let packet = RTPPacket(bytes.span) else { return }
    arrivals.receive(packet.ssrc, packet.sequence, at: now)
    // Packets of padding have their own stream.
    guard !packet.payload.isEmpty else { return }
    let format: LinkRTPParameters.Format = packet.ssrc == hearing ? .opus : .video(.vp8)
    if link.numbers.format(of: packet.payloadType) != format { misnumbered += 1 }
    if packet.ssrc == hearing {
      mix[mixNumbers.unwrap(packet.sequence)] = Array(bytes[packet.payload])
    } else {
      tracks[packet.ssrc, default: WatchedTrack()].receive(bytes, packet, at: now)
    }
  }

  private func takeControl(_ bytes: [UInt8], at now: MonotonicTime) {
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes.span) {
      switch packet {
      case .pictureLoss(_, let media): requireKeyFrame(of: media)
      case .nack(let list):
        list.forEach(in: bytes.span) { resend($0, of: list.media, at: now) }
      case .senderReport(_, let reports), .receiverReport(_, let reports):
        for index in 0..<reports.count {
          receptionReports.append(reports.block(index, in: bytes.span))
        }
      case .congestionFeedback: feedbacks += 1
      case .estimate(let bits, let sources):
        estimates.append((bits, sources.count > 0 ? sources.source(0, in: bytes.span) : 0))
      default: break
      }
    }
  }

  private func requireKeyFrame(of media: UInt32) {
    for index in camera?.layers.indices ?? 0..<0 where camera?.layers[index].ssrc == media {
      camera?.layers[index].needsKeyFrame = true
    }
  }

  private func resend(_ number: SequenceNumber, of media: UInt32, at now: MonotonicTime) {
    if let packet = filmed[media]?[number.rawValue] { up.send(packet, at: now) }
  }

  // MARK: Received sound

  /// Returns the last 800 ms of the client's mix. The client conceals missing packets.
  func heard() throws -> [Int16] {
    guard let last = mix.keys.max() else { return [] }
    var decoder = try OpusDecoder(channels: 1)
    return try (last - 60..<last).flatMap { number in
      var frame = [Int16](repeating: 0, count: 960)
      var room = frame.mutableSpan
      if let payload = mix[number] {
        _ = try decoder.decode(payload.span, into: &room)
      } else {
        _ = try decoder.conceal(sampleCount: 960, into: &room)
      }
      return frame
    }.suffix(40 * 960)
  }
}
