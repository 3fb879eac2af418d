import CarillonClient

/// What happened in one trial, second by second and frame by frame, by one clock.
public struct AdaptiveTrace: Sendable {
  /// A value at a time, in seconds since the profile began.
  public struct Point: Sendable {
    public var at: Double
    public var value: Double
  }

  public var profile: LinkProfile

  /// The link, each tenth of a second.
  public var link: [LinkProxy.Sample]

  /// What a client said of its link, in kbit/s; the sum where two share one.
  public var estimates: [Point]

  /// What arrived, in kbit/s.
  public var goodput: [Point]

  /// The widths of the pinned tile's frames at the first receiver, in pixels.
  public var frames: [Point]

  /// The same for the other tiles.
  public var minorFrames: [[Point]]

  /// Whether a tone was heard, each 20 ms.
  public var sounds: [Point]

  /// When the pinned tile was said to be paused.
  public var pauses: [ClosedRange<Double>]
}
