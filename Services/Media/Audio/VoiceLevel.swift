/// The loudness of one participant: as its packets claim it, and as measured in decoded frames.
///
/// Each tick ends with one of ``measure(_:)``, ``skip()`` and ``rest()``.
struct VoiceLevel {
  /// The loudness of this frame, as decoded.
  private(set) var frame = Loudness.silence

  /// The number of consecutive ticks in which it was decoded.
  private(set) var measuredTicks = 0

  /// The smoothed loudness, for reports.
  ///
  /// For a participant that is not decoded, this is the claimed level minus its overstatement.
  private(set) var smoothed = Loudness.silence

  /// The level that the packet of this tick claims; `nil` if it claims none.
  private(set) var hint: Loudness?

  /// The number of consecutive ticks in which it was louder than the bar.
  private(set) var louderTicks = 0

  /// The loudness of this tick that ``mean`` includes.
  private(set) var current = Loudness.silence

  private var recent = RecentPower()
  private var claims = LevelClaims()
  private var concealedTicks = 0

  /// The number of frames that were decoded in a row since the last gap.
  private var evenTicks = 0

  /// The number of frames that were decoded since the level was last settled.
  private var unevenTicks = 0

  /// The frames after a gap that are decoded too quiet.
  private static let settlingTicks = 5

  /// The frames for which gaps may delay the comparison of claims with the sound: 500 ms.
  private static let longestUnevenTicks = 25

  /// The concealed frames in a row that are about as loud as the last packet.
  ///
  /// Further ones fade.
  private static let loudConcealedTicks = 2

  /// The loudness of the last 100 ms: as decoded, or as claimed where frames were not decoded.
  var mean: Loudness { recent.mean }

  /// Whether so many frames were concealed that only the end of a sound remains.
  var isFading: Bool { concealedTicks > Self.loudConcealedTicks }

  /// Whether ``mean`` is as good as measured: its packets claim no level, or their claims were
  /// found to be true.
  var isTrusted: Bool { hint == nil || claims.isTrusted }

  /// Returns whether it is proven to be this loud, by trusted claims or by its decoded sound alone.
  ///
  /// - Parameter bar: A loudness over 100 ms.
  func isProven(above bar: Loudness) -> Bool {
    mean >= bar && (isTrusted || recent.decodedMean >= bar)
  }

  /// The level that its packets claim, as far as they are believed.
  var believedHint: Loudness? {
    hint.map { Loudness(decibels: max(0, $0.decibels - claims.overstatement)) }
  }

  /// Begins a tick, in which nothing has been decoded yet.
  ///
  /// - Parameter ticks: The ticks since the last call.
  mutating func beginTick(after ticks: Int) {
    frame = .silence
    claims.age(ticks: ticks)
  }

  /// Takes the claim of the packet that is played next.
  ///
  /// - Parameter label: The level that the packet claims, or `nil` if it claims none.
  mutating func takePacket(_ label: Loudness?) {
    concealedTicks = 0
    hint = label
    claims.begin(label)
  }

  /// Records that a missing packet is concealed.
  ///
  /// Claims of packets do not apply to it.
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

  /// Records a tick whose packet is not decoded, so its claim is believed.
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

  /// Counts how long it has been loud enough.
  ///
  /// - Parameter bar: The required loudness over 100 ms.
  mutating func compare(to bar: Loudness) {
    louderTicks = mean >= bar ? louderTicks + 1 : 0
  }

  /// Restarts that count, because the participant got a seat.
  mutating func forgetLouderTicks() { louderTicks = 0 }

  /// Whether the decoder had time to find the level after a gap, or gaps have delayed it for too
  /// long.
  private var isSettled: Bool {
    evenTicks > Self.settlingTicks || unevenTicks > Self.longestUnevenTicks
  }

  /// The loudness that counts for this frame.
  ///
  /// Until the decoder has found the level, the packet's claim is closer to the truth. Frames after
  /// a loss are decoded too quiet, and frames after skipped ones too loud.
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
