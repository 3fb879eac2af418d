/// A method without its types: for tables, logs and metrics.
public struct MethodDescription: Sendable, Hashable {
  /// What request headers carry. Never 0, and no other method has it.
  public let key: UInt32
  /// The name in the contract, for example `carillon.v1.Presence/Join`.
  public let name: String
  /// Whether it answers with items rather than once.
  public let isStream: Bool

  /// Describes a method; generated code makes these.
  public init(key: UInt32, name: String, isStream: Bool) {
    self.key = key
    self.name = name
    self.isStream = isStream
  }
}
