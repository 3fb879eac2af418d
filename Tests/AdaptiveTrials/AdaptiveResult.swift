/// The measurements of one trial of a profile.
public struct AdaptiveResult: Codable, Sendable {
  public var profile: String
  public var seed: UInt64

  /// The longest time from a drop of the link's rate until the link's queue is short and frames of
  /// the pinned tile arrive again, in seconds.
  public var adaptSeconds: Double

  /// The time from the end of the rate limit until all tiles have their full size, in seconds;
  /// `nil` if the rate limit lasts until the end of the profile.
  public var recoverSeconds: Double?

  /// The longest time between two frames of the pinned tile after adaptation, in seconds. Reported
  /// pauses do not count.
  public var longestGapSeconds: Double

  /// The share of the pinned tile's frames that the client showed while the tile was not paused.
  public var frameShare: Double

  /// The longest time without sound after adaptation, in milliseconds. `longestAudioGapMs` is the
  /// longest time in the whole trial.
  public var audioGapMs: Double
  public var longestAudioGapMs: Double

  /// The 90th percentile of the estimate's relative error. The first 5 s after each change of the
  /// rate do not count.
  public var estimateError: Double

  /// The share of the bottleneck's rate that arrived as video and sound.
  public var goodput: Double

  /// The 95th percentile of the time that packets waited for the link, in milliseconds.
  public var queueMs: Double

  /// The lowest goodput of a receiver on a shared link, as a share of the highest goodput of a
  /// receiver on that link.
  ///
  /// ``AdaptiveBars`` contains no limit for this value.
  public var fairness: Double?

  /// Returns a text for each limit that the trial does not meet.
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

/// The limits that the measurements of a trial must meet.
public struct AdaptiveBars: Sendable {
  public var adaptSeconds = 3.0
  public var recoverSeconds = 5.0
  public var gapSeconds = 1.0
  public var frameShare = 0.9
  public var audioGapMs = 100.0
  public var estimateError = 0.25
  public var goodput = 0.8
  public var queueMs = 250.0

  /// Creates the limits that adaptive video is designed for.
  public init() {}

  /// The limits for a machine that also runs other work.
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
