import Foundation
import TestSupport

/// The behaviour of one link over time, and the clients that use the link. Each profile is an entry
/// of the scenario file.
public struct LinkProfile: Codable, Sendable {
  /// The clients that use the link.
  public enum Subject: String, Codable, Sendable {
    /// One receiver; the link is its downlink.
    case receiver
    /// Two receivers that share the link as their downlink.
    case twoReceivers
    /// The pinned publisher; the link is its uplink.
    case publisher
  }

  /// A change of the link's rate.
  public struct Change: Codable, Sendable {
    /// The time in seconds since the start of the profile.
    public var at: Double
    /// The new rate in kbit/s; 0 for no limit.
    public var kbps: Double

    /// Creates a change.
    public init(at: Double, kbps: Double) { (self.at, self.kbps) = (at, kbps) }
  }

  /// The name of the profile, as in `adaptive.<name>`.
  public var name: String

  /// A description for people.
  public var about: String
  public var subject: Subject

  /// The duration in seconds.
  public var seconds: Double

  /// Whether the rate changes linearly from each change to the next. Otherwise, the rate is
  /// constant between changes.
  public var isRamp: Bool?
  public var rates: [Change]

  /// The minimum and maximum factor of a random walk. Every 200 ms, the profile draws a new factor
  /// near the previous factor. The profile multiplies the rate by the current factor.
  public var wander: [Double]?

  /// The delay of the link in each direction in milliseconds, and the maximum jitter of the link as
  /// a percentage of the delay.
  public var delayMs: Double
  public var jitterPercent: Double?

  /// The length of the queue in milliseconds. The link accepts no bytes while the queue is full.
  public var queueMs: Double

  /// The rate in the other direction in kbit/s; 0 or `nil` for no limit.
  public var otherKbps: Double?
  public var seeds: [UInt64]

  /// Creates a profile with constant rates between changes.
  public init(
    name: String, about: String, subject: Subject, seconds: Double, rates: [Change],
    delayMs: Double, queueMs: Double, seeds: [UInt64]
  ) {
    (self.name, self.about, self.subject, self.seconds) = (name, about, subject, seconds)
    (self.rates, self.delayMs, self.queueMs, self.seeds) = (rates, delayMs, queueMs, seeds)
  }

  /// Reads the profiles of a file.
  public static func read(_ path: String) throws -> [LinkProfile] {
    try JSONDecoder().decode([LinkProfile].self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// Returns the rate at a given time, in kbit/s; `nil` for no limit.
  ///
  /// - Parameter shares: The factors from ``drawShares(seed:)``.
  public func kbps(at time: Double, shares: [Double]) -> Double? {
    guard let index = rates.lastIndex(where: { $0.at <= time }) else { return nil }
    var kbps = rates[index].kbps
    if isRamp == true, index + 1 < rates.count {
      let (from, to) = (rates[index], rates[index + 1])
      kbps += (to.kbps - from.kbps) * (time - from.at) / (to.at - from.at)
    }
    guard kbps > 0 else { return nil }
    return shares.isEmpty ? kbps : kbps * shares[min(Int(time * 5), shares.count - 1)]
  }

  /// Draws the factors of ``wander``, one for every 200 ms; empty without ``wander``.
  public func drawShares(seed: UInt64) -> [Double] {
    guard let wander, wander.count == 2 else { return [] }
    var numbers = SeededGenerator(seed: seed)
    var share = 1.0
    return (0...Int(seconds * 5)).map { _ in
      share = min(max(share * .random(in: 0.8...1.25, using: &numbers), wander[0]), wander[1])
      return share
    }
  }
}
