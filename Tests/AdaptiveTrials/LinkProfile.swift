import Foundation
import TestSupport

/// What one link does over time, and who is behind it: an entry of the scenario file.
public struct LinkProfile: Codable, Sendable {
  /// Whose link it is.
  public enum Subject: String, Codable, Sendable {
    /// One receiver's, on the way down.
    case receiver
    /// The same, shared with a second receiver.
    case twoReceivers
    /// The pinned publisher's, on the way up.
    case publisher
  }

  /// A rate from a moment on.
  public struct Change: Codable, Sendable {
    /// In seconds since the profile began.
    public var at: Double
    /// In kbit/s; 0: no limit.
    public var kbps: Double

    /// Makes one.
    public init(at: Double, kbps: Double) { (self.at, self.kbps) = (at, kbps) }
  }

  /// What `adaptive.<name>` is named after.
  public var name: String

  /// What it shows, for people.
  public var about: String
  public var subject: Subject

  /// How long it lasts, in seconds.
  public var seconds: Double

  /// From each change to the next one the rate stays as it is, or moves evenly.
  public var isRamp: Bool?
  public var rates: [Change]

  /// Each fifth of a second the rate is drawn anew, between these shares of what it would be; each
  /// draw is near the one before.
  public var wander: [Double]?

  /// How long the link takes in each direction, in milliseconds, and by what share of it packets
  /// are later.
  public var delayMs: Double
  public var jitterPercent: Double?

  /// How long packets may wait before the link, in milliseconds: then it takes no more.
  public var queueMs: Double

  /// The rate in the other direction, in kbit/s; 0 or nothing: no limit.
  public var otherKbps: Double?
  public var seeds: [UInt64]

  /// A profile of steps.
  public init(
    name: String, about: String, subject: Subject, seconds: Double, rates: [Change],
    delayMs: Double, queueMs: Double, seeds: [UInt64]
  ) {
    (self.name, self.about, self.subject, self.seconds) = (name, about, subject, seconds)
    (self.rates, self.delayMs, self.queueMs, self.seeds) = (rates, delayMs, queueMs, seeds)
  }

  /// The profiles of a file.
  public static func read(_ path: String) throws -> [LinkProfile] {
    try JSONDecoder().decode([LinkProfile].self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// The rate at a time, in kbit/s; `nil`: no limit.
  ///
  /// - Parameter shares: Of ``wander``, as ``drawShares(seed:)`` has drawn them.
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

  /// What ``wander`` makes of a seed, a value for each fifth of a second.
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
