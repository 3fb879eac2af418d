/// A method that answers once. The values are generated.
public struct UnaryMethod<Request: WireMessage, Reply: WireMessage>: Sendable, Hashable {
  /// FNV-1a (32 bit) of ``name``; what request headers carry.
  public let key: UInt32
  /// For example `carillon.v1.Presence/Join`.
  public let name: String

  public init(key: UInt32, name: String) {
    self.key = key
    self.name = name
  }

  public var description: MethodDescription {
    MethodDescription(key: key, name: name, isStream: false)
  }
}
