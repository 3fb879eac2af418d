import Foundation

/// The levels that one participant's packets claim, compared with the decoded sound.
///
/// The sound of a packet is in its decoded frames and, because of the codec's delay, in the next
/// frame. A claim is judged once both were decoded, by the louder one. Concealed frames are no
/// evidence, and no judgement spans them. The first frames after a gap cannot prove an
/// overstatement: Opus codes levels as differences, and its decoder must find the level again. They
/// can prove that a claim is true.
struct LevelClaims {
  private struct Claim {
    let label: Loudness
    var loudest = Loudness.silence
  }

  /// The overstatement of the packets' levels that was observed, in dB.
  private(set) var overstatement: Float = 0

  /// Whether the last judged claim was true.
  ///
  /// `false` before the first judgement.
  private(set) var isTrusted = false

  private var current: Claim?
  private var former: Claim?

  /// The part of the overstatement that remains after a tick.
  private static let memory: Float = 0.995
  /// The difference in dB up to which a claim is true: half of a packet's sound may be in each of
  /// two frames, and claims are whole decibels.
  private static let tolerance: Float = 4

  /// Reduces the overstatement over time.
  ///
  /// - Parameter ticks: The ticks since the last call.
  mutating func age(ticks: Int) {
    guard overstatement > 0 else { return }
    overstatement *= ticks == 1 ? Self.memory : pow(Self.memory, Float(ticks))
  }

  /// Starts the claim of the next packet, which is decoded or skipped in this tick.
  mutating func begin(_ label: Loudness?) {
    former = current
    current = label.map { Claim(label: $0) }
  }

  /// Drops the open claims, because frames are missing.
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
