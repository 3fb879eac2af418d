/// The loudness of one participant: the loudness that its packets claim, and the loudness of its
/// decoded frames.
///
/// Each tick ends with a call of ``measure(_:)``, ``skip()`` or ``rest()``.
struct VoiceLevel {
  /// The loudness of the frame that this tick decoded.
  private(set) var frame = Loudness.silence

  /// The number of consecutive ticks in which the meeting decoded the participant.
  private(set) var measuredTicks = 0

  /// The smoothed loudness, for reports.
  ///
  /// While the meeting does not decode the participant, this is the claimed level minus the
  /// observed overstatement.
  private(set) var smoothed = Loudness.silence

  /// The level that the packet of this tick claims; `nil` if the packet claims none.
  private(set) var hint: Loudness?

  /// The number of consecutive ticks in which the participant was louder than the required
  /// loudness.
  private(set) var louderTicks = 0

  /// The loudness that this tick contributes to ``mean``.
  private(set) var current = Loudness.silence

  private var recent = RecentPower()
  private var claims = AudioLevelVerifier()
  private var concealedTicks = 0

  /// The number of consecutive decoded frames since the last gap.
  private var evenTicks = 0

  /// The number of decoded frames since the last frame whose level was reliable.
  private var unevenTicks = 0

  /// The number of decoded frames after a gap until their level is reliable.
  private static let settlingTicks = 5

  /// The longest time by which gaps delay the comparison of claimed levels with the sound, in
  /// frames: 500 ms.
  private static let longestUnevenTicks = 25

  /// The number of consecutive concealed frames that are about as loud as the last packet.
  ///
  /// Further concealed frames fade.
  private static let loudConcealedTicks = 2

  /// The loudness of the last 100 ms. For a frame that was not decoded, the value uses the level
  /// that the frame's packet claims.
  var mean: Loudness { recent.mean }

  /// Whether the decoder has concealed so many consecutive frames that its output fades.
  var isFading: Bool { concealedTicks > Self.loudConcealedTicks }

  /// Whether ``mean`` is as reliable as a measurement: the packets claim no level, or their claims
  /// proved to be true.
  var isTrusted: Bool { hint == nil || claims.isTrusted }

  /// Returns whether trusted claims, or the decoded sound alone, prove that the participant is at
  /// least as loud as `bar`.
  ///
  /// - Parameter bar: The required loudness over 100 ms.
  func isProven(above bar: Loudness) -> Bool {
    mean >= bar && (isTrusted || recent.decodedMean >= bar)
  }

  /// The level that the packet claims, minus the observed overstatement.
  var believedHint: Loudness? {
    hint.map { Loudness(decibels: max(0, $0.decibels - claims.overstatement)) }
  }

  /// Begins a tick. Before ``measure(_:)``, the tick has no decoded frame.
  ///
  /// - Parameter ticks: The ticks since the last call.
  mutating func beginTick(after ticks: Int) {
    frame = .silence
    claims.age(ticks: ticks)
  }

  /// Records the level that the next played packet claims.
  ///
  /// - Parameter label: The level that the packet claims; `nil` if it claims none.
  mutating func takePacket(_ label: Loudness?) {
    concealedTicks = 0
    hint = label
    claims.begin(label)
  }

  /// Records that the decoder conceals a missing packet.
  ///
  /// The levels that packets claim do not apply to concealed frames.
  mutating func conceal() {
    concealedTicks += 1
    if isFading { hint = hint.map { _ in .silence } }
    claims.interrupt()
  }

  /// Records a tick without sound.
  mutating func rest() {
    hint = nil
    stopMeasuring()
    smoothed.follow(.silence)
    append(.silence, decoded: .silence)
  }

  /// Records a tick whose packet the meeting does not decode. Uses the level that the packet
  /// claims.
  mutating func skip() {
    stopMeasuring()
    let believed = believedHint ?? .silence
    smoothed.follow(believed)
    append(believed, decoded: .silence)
  }

  /// Records the loudness of a decoded frame.
  mutating func measure(_ loudness: Loudness) {
    frame = loudness
    if measuredTicks == 0 { smoothed = frame } else { smoothed.follow(frame) }
    measuredTicks += 1
    evenTicks = concealedTicks > 0 ? 0 : evenTicks + 1
    unevenTicks = evenTicks > Self.settlingTicks ? 0 : unevenTicks + 1
    append(isFading ? .silence : likelyLoudness, decoded: isFading ? .silence : frame)
    claims.take(frame, isSettled: isSettled)
  }

  /// Counts for how many ticks the participant has been loud enough.
  ///
  /// - Parameter bar: The required loudness over 100 ms.
  mutating func compare(to bar: Loudness) {
    louderTicks = mean >= bar ? louderTicks + 1 : 0
  }

  /// Resets ``louderTicks``, because the participant became an active speaker.
  mutating func forgetLouderTicks() { louderTicks = 0 }

  /// Whether the levels that packets claim can be compared with the decoded sound: the decoder has
  /// decoded enough frames since the last gap, or gaps have delayed the comparison for too long.
  private var isSettled: Bool {
    evenTicks > Self.settlingTicks || unevenTicks > Self.longestUnevenTicks
  }

  /// The most probable loudness of this frame: either the measured loudness or the level that the
  /// packet claims.
  ///
  /// In the first decoded frames after a gap, the level that the packet claims is closer to the
  /// truth. Decoded frames after a loss are too quiet, and decoded frames after skipped frames are
  /// too loud.
  private var likelyLoudness: Loudness { isSettled ? frame : believedHint ?? frame }

  private mutating func stopMeasuring() {
    (measuredTicks, evenTicks, unevenTicks) = (0, 0, 0)
    claims.interrupt()
  }

  private mutating func append(_ loudness: Loudness, decoded: Loudness) {
    current = loudness
    recent.append(loudness, decoded: decoded)
  }
}
