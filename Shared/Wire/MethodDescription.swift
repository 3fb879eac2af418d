/// A description of a method without its Swift types, for tables, logs and metrics.
public struct MethodDescription: Sendable, Hashable {
  /// The key of the method in request headers; unique and never 0.
  public let key: UInt32
  /// The name in the contract, for example `carillon.v1.Presence/Join`.
  public let name: String
  /// Whether the answer is a stream of items rather than one reply.
  public let isStream: Bool

  /// Creates the description of a method. Generated code calls this initialiser.
  public init(key: UInt32, name: String, isStream: Bool) {
    self.key = key
    self.name = name
    self.isStream = isStream
  }
}
