/// How loud one participant is: as its packets say, and as was measured where they were decoded.
///
/// Each tick ends with one of ``measure(_:)``, ``skip()`` and ``rest()``.
struct VoiceLevel {
  /// The loudness of this frame, as decoded.
  private(set) var frame = Loudness.silence

  /// How many ticks in a row it was decoded.
  private(set) var measuredTicks = 0

  /// Smoothed, for reports. Of those who are not decoded it is what they say, less what they
  /// overstate.
  private(set) var smoothed = Loudness.silence

  /// What the packet of this tick says of its level; `nil` if nothing.
  private(set) var hint: Loudness?

  /// For how many ticks in a row it was louder than it had to be.
  private(set) var louderTicks = 0

  /// How loud this tick was, as far as ``mean`` has it.
  private(set) var current = Loudness.silence

  private var recent = RecentPower()
  private var claims = LevelClaims()
  private var concealedTicks = 0

  /// Frames that were decoded in a row since the last gap.
  private var evenTicks = 0

  /// Frames that were decoded since the level was last found.
  private var unevenTicks = 0

  /// Frames behind a gap that are decoded too quiet.
  private static let settlingTicks = 5

  /// Frames for which gaps may put off the comparison of claims with the sound: 500 ms.
  private static let longestUnevenTicks = 25

  /// Frames that are made up for lost packets and are about as loud as the last packet. More of
  /// them in a row fade.
  private static let loudConcealedTicks = 2

  /// How loud the last 100 ms were: as decoded, and as packets said where they were not.
  var mean: Loudness { recent.mean }

  /// Whether so much was made up that it is only the end of what was said.
  var isFading: Bool { concealedTicks > Self.loudConcealedTicks }

  /// Whether ``mean`` is as good as measured: its packets say nothing of their level, or were found
  /// to say what is true.
  var isTrusted: Bool { hint == nil || claims.isTrusted }

  /// Whether it is known to be so loud: by what its packets say if they were found to be true, or
  /// by its sound alone.
  ///
  /// - Parameter bar: A loudness over 100 ms.
  func isProven(above bar: Loudness) -> Bool {
    mean >= bar && (isTrusted || recent.decodedMean >= bar)
  }

  /// What its packets say of its level, as far as they are believed.
  var believedHint: Loudness? {
    hint.map { Loudness(decibels: max(0, $0.decibels - claims.overstatement)) }
  }

  /// A tick begins; nothing of it has been decoded yet.
  ///
  /// - Parameter ticks: Since the last tick that looked at it.
  mutating func beginTick(after ticks: Int) {
    frame = .silence
    claims.age(ticks: ticks)
  }

  /// A packet is to be played.
  ///
  /// - Parameter label: What it says of its level; `nil` if nothing.
  mutating func takePacket(_ label: Loudness?) {
    concealedTicks = 0
    hint = label
    claims.begin(label)
  }

  /// A frame is to be made up for a packet that is missing: what packets say does not hold for it.
  mutating func conceal() {
    concealedTicks += 1
    if isFading { hint = hint.map { _ in .silence } }
    claims.interrupt()
  }

  /// There is nothing to play.
  mutating func rest() {
    hint = nil
    stopMeasuring()
    smoothed.follow(.silence)
    append(.silence, decoded: .silence)
  }

  /// The packet of this tick is not decoded: what it says is believed.
  mutating func skip() {
    stopMeasuring()
    let believed = believedHint ?? .silence
    smoothed.follow(believed)
    append(believed, decoded: .silence)
  }

  /// A frame was decoded, and is so loud.
  mutating func measure(_ loudness: Loudness) {
    frame = loudness
    if measuredTicks == 0 { smoothed = frame } else { smoothed.follow(frame) }
    measuredTicks += 1
    evenTicks = concealedTicks > 0 ? 0 : evenTicks + 1
    unevenTicks = evenTicks > Self.settlingTicks ? 0 : unevenTicks + 1
    append(isFading ? .silence : likelyLoudness, decoded: isFading ? .silence : frame)
    claims.take(frame, isSettled: isSettled)
  }

  /// Counts for how long it has been loud enough.
  ///
  /// - Parameter bar: How loud that is, over 100 ms.
  mutating func compare(to bar: Loudness) {
    louderTicks = mean >= bar ? louderTicks + 1 : 0
  }

  /// It is heard, or was until now.
  mutating func forgetLouderTicks() { louderTicks = 0 }

  /// Whether the decoder has had the time to find the level behind a gap, or gaps took it for too
  /// long.
  private var isSettled: Bool {
    evenTicks > Self.settlingTicks || unevenTicks > Self.longestUnevenTicks
  }

  /// How loud this frame is taken to be. Until the decoder has found the level, what the packet
  /// says is nearer to the truth: frames behind a loss are decoded too quiet, and those behind
  /// skipped ones too loud.
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
