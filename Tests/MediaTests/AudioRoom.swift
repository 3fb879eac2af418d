import MeetingModel
import Opus
import RTP

@testable import Media

/// A meeting in simulated time: clients that speak and listen through a `MeetingAudio`.
final class AudioRoom {
  /// A client that sends audio.
  struct Talker {
    var encoder: EncoderBox
    var signal: AudioSignal
    var sentTicks = 0
    var sequence: UInt16 = 1_000
    /// Returns the level in a packet; `nil` for a packet without a level.
    var level: (@Sendable (Int) -> UInt8?)?
    var isSending = true
    /// Returns whether packet `n` arrives.
    var arrives: (@Sendable (Int) -> Bool)?
    /// Whether the client only watches, so that the room does not play the client's packets.
    var isFollowed = false
  }

  final class EncoderBox {
    var encoder: OpusEncoder
    init(_ settings: OpusSettings) throws { encoder = try OpusEncoder(settings) }
  }

  /// A listening client. The samples of a tick without a packet are zeros.
  final class Ear {
    var decoder: OpusDecoder
    var samples: [Int16] = []
    var packets: [OpusPacket] = []
    var timestamps: [UInt32] = []
    var markers: [Bool] = []
    init() throws { decoder = try OpusDecoder(channels: 1) }
  }

  struct Talk {
    var samples: [Int16] = []
    var start: MonotonicTime?
    var ends = 0
  }

  let audio: MeetingAudio
  var ears: [Int: Ear] = [:]
  var talks: [Int: Talk] = [:]
  var wantsTalks = false
  private var talkers: [Int: Talker] = [:]
  private(set) var tick = 0

  init(_ change: (inout AudioMixSettings) -> Void = { _ in }) {
    var settings = AudioMixSettings()
    change(&settings)
    audio = MeetingAudio(settings: settings, timestamp: 4_294_960_000)
  }

  /// Adds a content share that sends a signal. A client of the same attendee hears no sound of the
  /// share.
  func addShare(
    _ key: Int, _ signal: AudioSignal, of sharer: Int?, settings: OpusSettings = OpusSettings(),
    level: (@Sendable (Int) -> UInt8?)? = nil
  ) throws {
    try add(key, signal, listens: false, isShare: true, settings: settings, level: level)
    audio.setSharer(of: SessionSlot(key), to: sharer.map { SessionSlot($0) })
  }

  /// Adds a client that listens, and that speaks if it has a signal.
  func add(
    _ key: Int, _ signal: AudioSignal? = nil, mode: AudioMode = .mono48K, listens: Bool = true,
    isShare: Bool = false, settings: OpusSettings = OpusSettings(),
    level: (@Sendable (Int) -> UInt8?)? = nil, arrives: (@Sendable (Int) -> Bool)? = nil
  ) throws {
    audio.add(SessionSlot(key), listens: listens, mode: mode, isShare: isShare)
    ears[key] = try Ear()
    guard let signal else { return }
    var settings = settings
    settings.channels = signal.channels
    talkers[key] = Talker(
      encoder: try EncoderBox(settings), signal: signal, level: level, arrives: arrives)
  }

  func setSending(_ key: Int, _ isSending: Bool) { talkers[key]?.isSending = isSending }

  /// Changes whether a client only watches.
  func setWatching(_ key: Int, _ isWatching: Bool) {
    talkers[key]?.isFollowed = isWatching
    audio.setMayBeHeard(
      SessionSlot(key), !isWatching, at: MonotonicTime(microseconds: Int64(tick) * 20_000 - 10_000))
  }

  func setSignal(_ key: Int, _ signal: AudioSignal) { talkers[key]?.signal = signal }

  func statistics(_ key: Int) -> AudioStatistics? { audio.statistics(of: SessionSlot(key)) }

  /// Returns the samples that a client received in the last `ticks` ticks.
  func heard(_ key: Int, last ticks: Int) -> [Int16] {
    Array((ears[key]?.samples ?? []).suffix(ticks * 960))
  }

  /// - Parameter afterTick: Called at the end of each tick.
  func run(_ ticks: Int, afterTick: () -> Void = {}) throws {
    for _ in 0..<ticks {
      for key in talkers.keys.sorted() { try speak(key) }
      var got: Set<Int> = []
      let deliver: MeetingAudio.Deliver = { listeners, payload, timestamp, marker in
        for index in listeners.indices {
          let key = listeners[index].index
          // No listener gets two packets in one tick.
          precondition(got.insert(key).inserted)
          self.hear(key, payload, timestamp, marker)
        }
      }
      let now = MonotonicTime(microseconds: Int64(tick) * 20_000 + 4_000)
      if wantsTalks {
        audio.tick(at: now, deliver: deliver, talk: take)
      } else {
        audio.tick(at: now, deliver: deliver)
      }
      for (key, ear) in ears where !got.contains(key) {
        ear.samples += [Int16](repeating: 0, count: 960)
      }
      tick += 1
      afterTick()
    }
  }

  private func take(
    _ key: SessionSlot, _ samples: Span<Int16>, _ start: MonotonicTime, _ isLast: Bool
  ) {
    var talk = talks[key.index] ?? Talk()
    for index in samples.indices { talk.samples.append(samples[index]) }
    talk.start = talk.start ?? start
    talk.ends += isLast ? 1 : 0
    talks[key.index] = talk
  }

  private func speak(_ key: Int) throws {
    guard var talker = talkers[key] else { return }
    defer { talkers[key] = talker }
    let start = tick * 960
    let frame = talker.signal.samples(start..<start + 960)
    guard talker.isSending else { return }
    var bytes = [UInt8](repeating: 0, count: 1_275)
    var room = bytes.mutableSpan
    let count = try talker.encoder.encoder.encode(frame.span, into: &room)
    guard count > 0 else { return }
    talker.sequence &+= 1
    talker.sentTicks += 1
    guard talker.arrives?(talker.sentTicks) ?? true else { return }
    let level =
      if let level = talker.level {
        level(tick)
      } else {
        UInt8?.some(Loudness(of: frame, count: frame.count).attenuation)
      }
    let take = talker.isFollowed ? audio.follow : audio.receive
    take(
      SessionSlot(key), SequenceNumber(talker.sequence), UInt32(truncatingIfNeeded: start),
      level.map { AudioLevel(attenuation: $0, isSpeech: $0 < 60) },
      bytes.span.extracting(0..<count), MonotonicTime(microseconds: Int64(tick) * 20_000))
  }

  private func hear(_ key: Int, _ payload: Span<UInt8>, _ timestamp: UInt32, _ marker: Bool) {
    guard let ear = ears[key], let packet = OpusPacket(payload) else { return }
    var frame = [Int16](repeating: 0, count: 960)
    var room = frame.mutableSpan
    _ = try? ear.decoder.decode(payload, into: &room)
    ear.samples += frame
    ear.packets.append(packet)
    ear.timestamps.append(timestamp)
    ear.markers.append(marker)
  }
}
