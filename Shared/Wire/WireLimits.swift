/// The limits on the packed size of one message and on the memory needed to unpack this message.
public struct WireLimits: Sendable, Hashable {
  /// The maximum size of a packed message, in bytes.
  public var maximumBytes: Int
  /// The maximum memory for unpacking a message, in bytes.
  ///
  /// Usual messages need 4 to 7 times their packed size. An attacker's messages need up to 75 times
  /// their packed size.
  public var maximumMemory: Int

  /// Creates limits. Both limits are in bytes.
  public init(maximumBytes: Int, maximumMemory: Int) {
    self.maximumBytes = maximumBytes
    self.maximumMemory = maximumMemory
  }

  /// The limits between services: 4 MiB, unpacked in 64 MiB.
  public static let `default` = WireLimits(maximumBytes: 4 << 20, maximumMemory: 64 << 20)

  /// The limits for messages from clients: 64 KiB, unpacked in 1 MiB.
  public static let client = WireLimits(maximumBytes: 64 << 10, maximumMemory: 1 << 20)
}
