import MeetingModel
import Opus
import RTP

@testable import Media

/// A meeting in made-up time whose attendees speak by scripts, beside a model of who should be
/// heard.
final class TalkRoom {
  private final class Talker {
    let script: TalkScript
    var encoder: OpusEncoder
    var sequence: UInt16 = 0
    /// The power of each of its frames.
    var powers: [Double] = []
    /// The frame that is played now.
    var playing: Int?
    var packetTime = MediaTime(microseconds: -1)

    init(_ script: TalkScript) throws {
      self.script = script
      encoder = try OpusEncoder(OpusSettings())
    }
  }

  let audio = MeetingAudio(settings: MeetingAudioSettings(), timestamp: 0)
  private(set) var model: SeatModel
  private let talkers: [Talker]
  private let isLabelled: Bool
  private var tick = 0

  /// - Parameter isLabelled: Whether packets say how loud they are.
  init(_ scripts: [TalkScript], isLabelled: Bool) throws {
    talkers = try scripts.map { try Talker($0) }
    model = SeatModel(attendees: scripts.count)
    self.isLabelled = isLabelled
    for index in scripts.indices { audio.add(SessionKey(index), listens: false, mode: .mono48K) }
  }

  func run(ticks: Int) throws {
    for _ in 0..<ticks {
      for (index, talker) in talkers.enumerated() { try speak(index, talker) }
      audio.tick(at: MediaTime(microseconds: Int64(tick) * 20_000 + 4_000)) { _, _, _, _ in }
      let powers = talkers.enumerated().map { playedPower($0, $1) }
      let mixed = talkers.indices.filter { index in
        audio.participant(SessionKey(index)).map { $0.isSeated && $0.sound.isHeard } ?? false
      }
      model.take(powers, mixed: Set(mixed))
      tick += 1
    }
  }

  private func speak(_ index: Int, _ talker: Talker) throws {
    let frame = talker.script.frame(tick)
    let energy = frame.reduce(0.0) { $0 + Double($1) * Double($1) }
    talker.powers.append(energy / 960 / (32_768 * 32_768))
    guard talker.script.sendsSilence || talker.script.speaks(in: tick) else { return }
    var bytes = [UInt8](repeating: 0, count: 1_275)
    var room = bytes.mutableSpan
    let count = try talker.encoder.encode(frame.span, into: &room)
    talker.sequence &+= 1
    guard !talker.script.lost.contains(tick) else { return }
    let loudness = Loudness(of: frame, count: frame.count)
    audio.receive(
      SessionKey(index), sequence: SequenceNumber(talker.sequence),
      timestamp: UInt32(truncatingIfNeeded: tick * 960),
      level: isLabelled
        ? AudioLevel(attenuation: loudness.attenuation, isSpeech: energy > 0) : nil,
      payload: bytes.span.extracting(0..<count),
      arrival: MediaTime(microseconds: Int64(tick) * 20_000))
  }

  /// The power of what is played of somebody now, whether or not it is decoded. Lost packets are
  /// played too: that they were lost does not make the attendee quieter.
  private func playedPower(_ index: Int, _ talker: Talker) -> Double {
    guard let participant = audio.participant(SessionKey(index)) else { return 0 }
    if participant.packetTime != talker.packetTime {
      talker.packetTime = participant.packetTime
      talker.playing = Int(participant.packetTime.microseconds / MeetingAudio.tickUs)
    } else if case .none = participant.sound {
      talker.playing = nil
    } else if let next = talker.playing.map({ $0 + 1 }), talker.script.lost.contains(next) {
      talker.playing = next
    } else {
      talker.playing = nil
    }
    return talker.playing.map { talker.powers[$0] } ?? 0
  }
}
