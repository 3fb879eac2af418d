/// A method that answers once. The values are generated.
public struct UnaryMethod<Request: WireMessage, Reply: WireMessage>: Sendable, Hashable {
  /// FNV-1a (32 bit) of ``name``; what request headers carry.
  public let key: UInt32
  /// The name in the contract, for example `carillon.v1.Presence/Join`.
  public let name: String

  /// Names a method; generated code makes these.
  public init(key: UInt32, name: String) {
    self.key = key
    self.name = name
  }

  /// The method without its types.
  public var description: MethodDescription {
    MethodDescription(key: key, name: name, isStream: false)
  }
}
