import CarillonClient

/// The events and samples of one trial, measured with one clock.
public struct AdaptiveTrace: Sendable {
  /// A value at one point in time. The time is in seconds since the start of the profile.
  public struct Point: Sendable {
    public var at: Double
    public var value: Double
  }

  public var profile: LinkProfile

  /// Samples of the link, one every 100 ms.
  public var link: [LinkProxy.Sample]

  /// One client's share of the link.
  public struct Share: Sendable {
    /// The client's estimates of the client's link, in kbit/s.
    public var estimates: [Point]

    /// The bitrate of the client's received or sent video, in kbit/s.
    public var goodput: [Point]
  }

  /// The share of each client of the link.
  public var shares: [Share]

  /// The widths of the pinned tile's frames at the first receiver, in pixels.
  public var frames: [Point]

  /// The widths of the other tiles' frames at the first receiver, in pixels.
  public var minorFrames: [[Point]]

  /// Samples of the first receiver's sound, one every 20 ms: 1 for a tone, 0 for silence.
  public var sounds: [Point]

  /// The periods in which the server reported the pinned tile as paused.
  public var pauses: [ClosedRange<Double>]

  /// The sum of the clients' estimates, in kbit/s.
  public var estimates: [Point] { Self.sum(shares.map(\.estimates)) }

  /// The sum of the clients' goodput, in kbit/s.
  public var goodput: [Point] { Self.sum(shares.map(\.goodput)) }

  /// Returns a point for each point of the first client. The value of the returned point is the sum
  /// of the first client's value and the other clients' values at the nearest times.
  private static func sum(_ all: [[Point]]) -> [Point] {
    guard let first = all.first else { return [] }
    return first.map { point in
      Point(
        at: point.at,
        value: all.dropFirst().reduce(point.value) { $0 + (value(of: $1, at: point.at) ?? 0) })
    }
  }

  /// Returns the value that is nearest to a time.
  static func value(of points: [Point], at time: Double) -> Double? {
    points.min { abs($0.at - time) < abs($1.at - time) }?.value
  }
}
