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

  /// What one client had of the link.
  public struct Share: Sendable {
    /// What it said of its link, in kbit/s.
    public var estimates: [Point]

    /// What arrived, in kbit/s.
    public var goodput: [Point]
  }

  /// One of each client whose link it is.
  public var shares: [Share]

  /// The widths of the pinned tile's frames at the first receiver, in pixels.
  public var frames: [Point]

  /// The same for the other tiles.
  public var minorFrames: [[Point]]

  /// Whether a tone was heard, each 20 ms.
  public var sounds: [Point]

  /// When the pinned tile was said to be paused.
  public var pauses: [ClosedRange<Double>]

  /// What the clients said of the link, in kbit/s; the sum where two share one.
  public var estimates: [Point] { Self.sum(shares.map(\.estimates)) }

  /// What arrived at all of them, in kbit/s.
  public var goodput: [Point] { Self.sum(shares.map(\.goodput)) }

  /// What all say at about the same time, together.
  private static func sum(_ all: [[Point]]) -> [Point] {
    guard let first = all.first else { return [] }
    return first.map { point in
      Point(
        at: point.at,
        value: all.dropFirst().reduce(point.value) { $0 + (value(of: $1, at: point.at) ?? 0) })
    }
  }

  /// What was said nearest to a time.
  static func value(of points: [Point], at time: Double) -> Double? {
    points.min { abs($0.at - time) < abs($1.at - time) }?.value
  }
}
