/// Bits per second, with RTP headers.
public struct Bitrate: Hashable, Sendable {
  /// The rate. May be negative as the difference of two.
  public var bitsPerSecond: Int

  /// A rate of so many bits per second.
  public init(bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }

  /// A rate of so many thousand bits per second.
  public static func kilobits(_ perSecond: Int) -> Bitrate {
    Bitrate(bitsPerSecond: perSecond * 1_000)
  }
}

extension Bitrate: Comparable {
  /// Whether `left` is less than `right`.
  public static func < (left: Bitrate, right: Bitrate) -> Bool {
    left.bitsPerSecond < right.bitsPerSecond
  }
}

extension Bitrate: AdditiveArithmetic {
  /// No bits at all.
  public static let zero = Bitrate(bitsPerSecond: 0)

  /// Both together.
  public static func + (left: Bitrate, right: Bitrate) -> Bitrate {
    Bitrate(bitsPerSecond: left.bitsPerSecond + right.bitsPerSecond)
  }

  /// What is left of one without the other.
  public static func - (left: Bitrate, right: Bitrate) -> Bitrate {
    Bitrate(bitsPerSecond: left.bitsPerSecond - right.bitsPerSecond)
  }
}

extension Bitrate: CustomStringConvertible {
  /// The text for logs, such as `600000 bit/s`.
  public var description: String { "\(bitsPerSecond) bit/s" }
}
