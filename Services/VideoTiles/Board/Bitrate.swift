/// Bits per second, with RTP headers.
struct Bitrate: Hashable, Sendable {
  var bitsPerSecond: Int

  static let zero = Bitrate(bitsPerSecond: 0)

  static func kilobits(_ perSecond: Int) -> Bitrate { Bitrate(bitsPerSecond: perSecond * 1_000) }
}

extension Bitrate: Comparable {
  static func < (left: Bitrate, right: Bitrate) -> Bool {
    left.bitsPerSecond < right.bitsPerSecond
  }
}

extension Bitrate: AdditiveArithmetic {
  static func + (left: Bitrate, right: Bitrate) -> Bitrate {
    Bitrate(bitsPerSecond: left.bitsPerSecond + right.bitsPerSecond)
  }

  static func - (left: Bitrate, right: Bitrate) -> Bitrate {
    Bitrate(bitsPerSecond: left.bitsPerSecond - right.bitsPerSecond)
  }
}

extension Bitrate: CustomStringConvertible {
  var description: String { "\(bitsPerSecond) bit/s" }
}
