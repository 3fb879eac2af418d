/// What one trial of a profile measured, beside what it is held to.
public struct AdaptiveResult: Codable, Sendable {
  public var profile: String
  public var seed: UInt64

  /// Seconds from a change for the worse until the queue is short again and the pinned tile moves.
  public var adaptSeconds: Double

  /// Seconds from the end of the limit until all tiles are there in full size; `nil`: it has none.
  public var recoverSeconds: Double?

  /// The longest time between two frames of the pinned tile, once it has adapted, in seconds.
  public var longestGapSeconds: Double

  /// The share of the pinned tile's frames that were shown while it was said to move.
  public var frameShare: Double

  /// The longest time without sound, once it has adapted, in milliseconds; and over all.
  public var audioGapMs: Double
  public var longestAudioGapMs: Double

  /// How far the estimate was from the bottleneck from five seconds after a change on, as a share
  /// of it: 90 of 100 were nearer.
  public var estimateError: Double

  /// What of the bottleneck arrived as video and sound.
  public var goodput: Double

  /// How long 95 of 100 packets waited before the link at most, in milliseconds.
  public var queueMs: Double

  /// What the one who got least of a shared link got of what the other did; held to nothing.
  public var fairness: Double?

  /// What does not hold, in words.
  public func misses(_ bars: AdaptiveBars) -> [String] {
    var misses: [String] = []
    func hold(_ isMet: Bool, _ what: String) { if !isMet { misses.append(what) } }
    hold(adaptSeconds <= bars.adaptSeconds, "adapted after \(adaptSeconds) s")
    hold(recoverSeconds ?? 0 <= bars.recoverSeconds, "recovered after \(recoverSeconds ?? 0) s")
    hold(longestGapSeconds <= bars.gapSeconds, "no frame for \(longestGapSeconds) s")
    hold(frameShare >= bars.frameShare, "\(frameShare) of the frames")
    hold(audioGapMs <= bars.audioGapMs, "no sound for \(audioGapMs) ms")
    hold(estimateError <= bars.estimateError, "the estimate was \(estimateError) off")
    hold(goodput >= bars.goodput, "\(goodput) of the bottleneck was used")
    hold(queueMs <= bars.queueMs, "packets waited \(queueMs) ms")
    return misses
  }
}

/// What a trial is held to.
public struct AdaptiveBars: Sendable {
  public var adaptSeconds = 3.0
  public var recoverSeconds = 5.0
  public var gapSeconds = 1.0
  public var frameShare = 0.9
  public var audioGapMs = 100.0
  public var estimateError = 0.25
  public var goodput = 0.8
  public var queueMs = 250.0

  /// Those that adaptive video is meant to hold.
  public init() {}

  /// Those that hold on a machine that does something else besides.
  public static var generous: AdaptiveBars {
    var bars = AdaptiveBars()
    bars.adaptSeconds = 8
    bars.recoverSeconds = 12
    bars.gapSeconds = 4
    bars.frameShare = 0.4
    bars.audioGapMs = 2_000
    bars.estimateError = 0.9
    bars.goodput = 0.3
    bars.queueMs = 1_500
    return bars
  }
}
