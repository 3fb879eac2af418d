import Opus

/// One encoded mix: its encoder, and the state of its transmission.
///
/// A listener may change from one output to another while it hears sound. The new encoder then
/// first encodes the last frames that the listener heard, without sending them. The new encoder
/// encodes its next packet independently of earlier packets. So the listener does not hear the
/// change.
final class MixOutput {
  /// The action for a mix in this tick.
  enum Turn {
    case send(marker: Bool)
    /// Send silence for 100 ms, so that the last sound fades.
    case sendSilence
    case rest
  }

  let kind: MixKind
  private(set) var isSending = false
  private var tail = 0
  private var encoder: OpusEncoder
  private var mustBeIndependent = false
  private var packet = [UInt8](repeating: 0, count: maxPacketBytes)
  /// The loss that the encoder protects against, in percent.
  private var expectedLoss = 0
  /// The tick in which the output last encoded a frame.
  private(set) var lastTick: UInt64 = 0

  /// The size of the buffer, in bytes. A packet of 20 ms has fewer bytes at any bitrate in use.
  private static let maxPacketBytes = 1_275

  init(_ kind: MixKind, _ settings: AudioMixSettings) throws(OpusError) {
    encoder = try OpusEncoder(kind.encoderSettings(settings))
    self.kind = kind
  }

  /// Resets the output for another listener.
  func reset() {
    try? encoder.reset()
    isSending = false
    tail = 0
    mustBeIndependent = false
  }

  /// Pauses the output, because it has no listener.
  func pause() {
    isSending = false
    tail = 0
  }

  /// Prepares for a listener that has heard another output so far. The output encodes its next
  /// packet independently of earlier packets.
  func welcome() { mustBeIndependent = true }

  /// Prepares to continue sound that another output has encoded so far.
  ///
  /// The caller then passes the last frames of this sound to ``show(_:)``, and the encoder
  /// continues from there.
  func beginTakeOver() {
    try? encoder.reset()
    isSending = true
    tail = SpeakerRules.tailTicks
    mustBeIndependent = true
  }

  /// Encodes a frame without sending it.
  func show(_ frame: [Int16]) {
    var room = packet.mutableSpan
    _ = try? encoder.encode(frame.span, into: &room)
  }

  /// Sets the loss that the next packets protect against, in percent.
  func expect(loss percent: Int) {
    guard percent != expectedLoss else { return }
    expectedLoss = percent
    try? encoder.setExpectedLoss(percent)
  }

  /// Returns the action for this tick.
  ///
  /// - Parameter hasSound: Whether the mix contains a voice.
  func turn(hasSound: Bool) -> Turn {
    if hasSound {
      defer { isSending = true }
      tail = SpeakerRules.tailTicks
      return .send(marker: !isSending)
    }
    guard isSending else { return .rest }
    tail -= 1
    isSending = tail > 0
    return .sendSilence
  }

  /// Encodes a frame, and passes the packet to `body`. The packet is valid only during this call.
  ///
  /// - Returns: Whether the encoder produced a packet.
  func encode(_ frame: [Int16], tick: UInt64, _ body: (Span<UInt8>) -> Void) -> Bool {
    lastTick = tick
    if mustBeIndependent { try? encoder.setIndependent(true) }
    defer {
      if mustBeIndependent { try? encoder.setIndependent(false) }
      mustBeIndependent = false
    }
    var room = packet.mutableSpan
    guard let count = try? encoder.encode(frame.span, into: &room), count > 0 else { return false }
    let packet = packet
    body(packet.span.extracting(0..<count))
    return true
  }
}
