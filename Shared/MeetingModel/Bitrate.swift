/// A bitrate in bit/s, including RTP headers.
public struct Bitrate: Hashable, Sendable {
  /// The rate in bit/s; the difference of two rates may be negative.
  public var bitsPerSecond: Int

  /// Creates a rate from bit/s.
  public init(bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }

  /// Returns a rate from kbit/s.
  public static func kilobits(_ perSecond: Int) -> Bitrate {
    Bitrate(bitsPerSecond: perSecond * 1_000)
  }
}

extension Bitrate: Comparable {
  /// Returns whether `left` is less than `right`.
  public static func < (left: Bitrate, right: Bitrate) -> Bool {
    left.bitsPerSecond < right.bitsPerSecond
  }
}

extension Bitrate: AdditiveArithmetic {
  /// The rate of zero.
  public static let zero = Bitrate(bitsPerSecond: 0)

  /// Returns the sum of two rates.
  public static func + (left: Bitrate, right: Bitrate) -> Bitrate {
    Bitrate(bitsPerSecond: left.bitsPerSecond + right.bitsPerSecond)
  }

  /// Returns the difference of two rates.
  public static func - (left: Bitrate, right: Bitrate) -> Bitrate {
    Bitrate(bitsPerSecond: left.bitsPerSecond - right.bitsPerSecond)
  }
}

extension Bitrate: CustomStringConvertible {
  /// The text for logs, such as `600000 bit/s`.
  public var description: String { "\(bitsPerSecond) bit/s" }
}
