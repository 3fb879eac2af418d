import Foundation

/// What the packets of one participant claim of their level, beside what was decoded of them.
///
/// The sound of a packet is in the frames decoded from it and, by the delay of the codec, in the
/// frame after them. A claim is judged once both were decoded, by the louder one. Frames that were
/// made up for a packet are no evidence, and no judgement reaches across them. Nor do the first
/// frames behind a gap prove an overstatement: Opus codes levels as differences, and its decoder
/// has to find them again. They may prove that a claim is true.
struct LevelClaims {
  private struct Claim {
    let label: Loudness
    var loudest = Loudness.silence
  }

  /// How much the packets overstate their level, in dB, as far as was seen.
  private(set) var overstatement: Float = 0

  /// Whether what was judged last was true. Nobody is trusted before.
  private(set) var isTrusted = false

  private var current: Claim?
  private var former: Claim?

  /// The share of what was overstated that is left after a tick.
  private static let memory: Float = 0.995
  /// Half of a packet's sound may be in each of two frames, and labels are whole decibels.
  private static let tolerance: Float = 4

  /// Forgives what was overstated by and by.
  ///
  /// - Parameter ticks: Since the last call.
  mutating func age(ticks: Int) {
    guard overstatement > 0 else { return }
    overstatement *= ticks == 1 ? Self.memory : pow(Self.memory, Float(ticks))
  }

  /// The next packet is decoded or skipped in this tick.
  mutating func begin(_ label: Loudness?) {
    former = current
    current = label.map { Claim(label: $0) }
  }

  /// Frames are missing between what was decoded and what follows.
  mutating func interrupt() { (former, current) = (nil, nil) }

  /// Takes a frame that was decoded from packets.
  ///
  /// - Parameter isSettled: Whether the decoder has found the level.
  mutating func take(_ frame: Loudness, isSettled: Bool) {
    if let former {
      let loudest = max(former.loudest, frame)
      if isSettled || Self.isTrue(former.label, loudest) { judge(former.label, loudest) }
    }
    former = nil
    if let loudest = current?.loudest, frame > loudest { current?.loudest = frame }
  }

  private static func isTrue(_ label: Loudness, _ loudest: Loudness) -> Bool {
    label.decibels - loudest.decibels <= tolerance
  }

  private mutating func judge(_ label: Loudness, _ loudest: Loudness) {
    let excess = label.decibels - loudest.decibels
    isTrusted = Self.isTrue(label, loudest)
    let overstated = isTrusted ? 0 : excess
    overstatement += (overstated - overstatement) * (overstated > overstatement ? 0.2 : 0.02)
  }
}
