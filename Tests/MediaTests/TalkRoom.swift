import MeetingModel
import Opus
import RTP

@testable import Media

/// A meeting in simulated time, with a model of the expected mix. The attendees speak according to
/// scripts.
///
/// If packets carry levels, or if all packets of an attendee arrive, the model uses the original
/// sound. Otherwise, the model uses the output of a decoder that gets the packets that arrived. The
/// original sound and the decoded sound differ after a loss, because Opus codes levels as
/// differences between packets. If the first packets of a word are missing, a decoder plays the
/// next packets up to 40 dB too quietly, for 100 ms or more. Every receiver hears the sound of such
/// packets as quiet, and the packets do not show that the original sound was louder.
final class TalkRoom {
  private final class Talker {
    let recording: TalkRecording
    var sequence: UInt16 = 0
    /// The frame that the room currently plays.
    var playing: Int?
    /// The number of concealed frames since `playing` last changed.
    var madeUp = 0
    var packetTime = MonotonicTime(microseconds: -1)
    var ear: OpusDecoder
    var heard = [Int16](repeating: 0, count: 960)

    init(_ recording: TalkRecording) throws {
      self.recording = recording
      ear = try OpusDecoder(channels: 1)
    }

    /// Decodes the current packet, or conceals a missing packet.
    func listen() throws {
      var room = heard.mutableSpan
      if madeUp == 0, let playing, let packet = recording.packets[playing],
        !recording.script.lost.contains(playing)
      {
        _ = try ear.decode(packet.span, into: &room)
      } else {
        _ = try ear.conceal(sampleCount: 960, into: &room)
      }
    }
  }

  let audio = MeetingAudio(settings: AudioMixSettings(), timestamp: 0)
  private(set) var model: SeatModel
  private let talkers: [Talker]
  private let isLabelled: Bool
  private var tick = 0

  /// - Parameter isLabelled: Whether each packet carries the level of its sound.
  init(_ recordings: [TalkRecording], isLabelled: Bool) throws {
    talkers = try recordings.map { try Talker($0) }
    model = SeatModel(attendees: recordings.count)
    self.isLabelled = isLabelled
    for index in recordings.indices {
      audio.add(SessionSlot(index), listens: false, mode: .mono48K)
    }
  }

  func run(ticks: Int) throws {
    for _ in 0..<ticks {
      for (index, talker) in talkers.enumerated() { speak(index, talker) }
      audio.tick(at: MonotonicTime(microseconds: Int64(tick) * 20_000 + 4_000)) { _, _, _, _ in }
      let powers = try talkers.enumerated().map { try playedPower($0, $1) }
      let mixed = talkers.indices.filter { index in
        audio.participant(SessionSlot(index)).map { $0.isSeated && $0.sound.isHeard } ?? false
      }
      let silent = talkers.indices.filter { talkers[$0].madeUp > 0 }
      model.take(powers, mixed: Set(mixed), silent: Set(silent))
      tick += 1
    }
  }

  private func speak(_ index: Int, _ talker: Talker) {
    guard let packet = talker.recording.packets[tick] else { return }
    talker.sequence &+= 1
    guard !talker.recording.script.lost.contains(tick) else { return }
    audio.receive(
      SessionSlot(index), sequence: SequenceNumber(talker.sequence),
      timestamp: UInt32(truncatingIfNeeded: tick * 960),
      level: isLabelled ? talker.recording.label(tick) : nil,
      payload: packet.span, arrival: MonotonicTime(microseconds: Int64(tick) * 20_000))
  }

  /// Returns the power of an attendee's current sound, whether or not the attendee is in the mix.
  /// The power includes lost packets, because a loss of packets does not make the attendee quieter.
  private func playedPower(_ index: Int, _ talker: Talker) throws -> Double {
    guard let participant = audio.participant(SessionSlot(index)) else { return 0 }
    follow(participant, talker)
    if isLabelled || talker.recording.script.lost.isEmpty {
      return talker.playing.map { talker.recording.powers[$0] } ?? 0
    }
    if case .none = participant.sound { return 0 }
    try talker.listen()
    return talker.playing == nil ? 0 : TalkRecording.power(of: talker.heard)
  }

  /// Determines the frame that media plays for an attendee. For 40 ms after the last packet of a
  /// word, media plays concealment that is about as loud as the word. After that, the sound fades.
  private func follow(_ participant: AudioParticipant, _ talker: Talker) {
    let lost = talker.recording.script.lost
    if participant.packetTime != talker.packetTime {
      talker.packetTime = participant.packetTime
      talker.playing = Int(participant.packetTime.microseconds / MeetingAudio.tickUs)
      talker.madeUp = 0
    } else if case .none = participant.sound {
      (talker.playing, talker.madeUp) = (nil, 0)
    } else if talker.madeUp == 0, let playing = talker.playing, lost.contains(playing + 1) {
      talker.playing = playing + 1
    } else {
      talker.madeUp += 1
      if talker.madeUp > 2 { talker.playing = nil }
    }
  }
}
