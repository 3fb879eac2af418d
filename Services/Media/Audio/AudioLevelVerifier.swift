import Foundation

/// Compares the levels that a participant's packets claim (RFC 6464) with the decoded sound.
///
/// The codec has a delay, so the sound of a packet is in the frames decoded from the packet and in
/// the next frame. The type judges a claim after the decoding of these frames. The type compares
/// the claim with the loudest of these frames. Concealed frames prove nothing, so the type does not
/// judge a claim whose frames include a concealed frame. Opus encodes the level of a frame as the
/// difference from the frame before. So after a gap, an Opus decoder needs some frames until its
/// output has the right level. The first frames after a gap cannot prove that a claim is too high,
/// but they can prove that a claim is true.
struct AudioLevelVerifier {
  private struct Claim {
    let label: Loudness
    var loudest = Loudness.silence
  }

  /// How much louder the packets' claims were than the decoded sound, in dB.
  private(set) var overstatement: Float = 0

  /// Whether the last claim that the type judged was true; `false` before the first judgement.
  private(set) var isTrusted = false

  private var current: Claim?
  private var former: Claim?

  /// The factor by which each tick multiplies ``overstatement``.
  private static let memory: Float = 0.995
  /// The maximum difference between a true claim and the decoded sound, in dB. Claims are rounded
  /// to whole decibels, and a packet's sound may be split equally between two decoded frames.
  private static let tolerance: Float = 4

  /// Multiplies the overstatement by ``memory`` once for each tick.
  ///
  /// - Parameter ticks: The ticks since the last call.
  mutating func age(ticks: Int) {
    guard overstatement > 0 else { return }
    overstatement *= ticks == 1 ? Self.memory : pow(Self.memory, Float(ticks))
  }

  /// Stores the claim of the packet that this tick decodes or skips.
  mutating func begin(_ label: Loudness?) {
    former = current
    current = label.map { Claim(label: $0) }
  }

  /// Drops the claims without judging them, because frames are missing.
  mutating func interrupt() { (former, current) = (nil, nil) }

  /// Compares the claims with a frame that the decoder decoded from packets.
  ///
  /// - Parameter isSettled: Whether the decoder has decoded enough frames since the last gap, so
  ///   that the frame's level is reliable.
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
