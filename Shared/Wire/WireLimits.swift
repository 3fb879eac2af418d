/// What unpacking one message may cost.
public struct WireLimits: Sendable, Hashable {
  /// Most bytes of a packed message.
  public var maximumBytes: Int
  /// Most bytes of memory while it is unpacked. Messages of this contract need four to seven times
  /// their length, bytes made to be costly up to seventy-five times.
  public var maximumMemory: Int

  /// Makes limits, both in bytes.
  public init(maximumBytes: Int, maximumMemory: Int) {
    self.maximumBytes = maximumBytes
    self.maximumMemory = maximumMemory
  }

  /// What services take of each other: 4 MiB, unpacked in 64 MiB.
  public static let `default` = WireLimits(maximumBytes: 4 << 20, maximumMemory: 64 << 20)

  /// What is taken of clients: 64 KiB, unpacked in 1 MiB.
  public static let client = WireLimits(maximumBytes: 64 << 10, maximumMemory: 1 << 20)
}
