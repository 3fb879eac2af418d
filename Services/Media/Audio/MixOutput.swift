import Opus

/// One encoded mix: an encoder, and whether it has something to say.
///
/// A listener may change over from one to another while it hears somebody. The encoder that it
/// comes to is then shown what the listener heard last, and encodes its next packet without
/// reference to those before it: the change is not heard.
final class MixOutput {
  /// What becomes of a mix in this tick.
  enum Turn {
    case send(marker: Bool)
    /// Silence, of which a little is sent, so that the last sound fades.
    case sendSilence
    case rest
  }

  let kind: MixKind
  private(set) var isSending = false
  private var tail = 0
  private var encoder: OpusEncoder
  private var mustBeIndependent = false
  private var packet = [UInt8](repeating: 0, count: maxPacketBytes)
  /// The tick in which it encoded last.
  private(set) var lastTick: UInt64 = 0

  /// More than any bit rate we choose needs for 20 ms.
  private static let maxPacketBytes = 1_275

  init(_ kind: MixKind, _ settings: MeetingAudioSettings) throws(OpusError) {
    encoder = try OpusEncoder(kind.encoderSettings(settings))
    self.kind = kind
  }

  /// Forgets its listener.
  func reset() {
    try? encoder.reset()
    isSending = false
    tail = 0
    mustBeIndependent = false
  }

  /// Nobody hears it for now.
  func pause() {
    isSending = false
    tail = 0
  }

  /// Somebody hears it from the next packet on who heard something else.
  func welcome() { mustBeIndependent = true }

  /// Its listeners hear something now, which it did not encode. After ``show(_:)`` for the last
  /// frames of that it goes on where they are.
  func beginTakeOver() {
    try? encoder.reset()
    isSending = true
    tail = SpeakerRules.tailTicks
    mustBeIndependent = true
  }

  /// Encodes for nobody.
  func show(_ frame: [Int16]) {
    var room = packet.mutableSpan
    _ = try? encoder.encode(frame.span, into: &room)
  }

  /// - Parameter hasSound: Whether anybody is in the mix.
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

  /// Encodes a frame and lends the packet.
  ///
  /// - Returns: Whether there is a packet.
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
