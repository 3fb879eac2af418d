/// A method that answers with one reply. The plugin generates the values of this type.
public struct UnaryMethod<Request: WireMessage, Reply: WireMessage>: Sendable, Hashable {
  /// The 32-bit FNV-1a hash of ``name``. Request headers carry this hash.
  public let key: UInt32
  /// The name in the contract, for example `carillon.v1.Presence/Join`.
  public let name: String

  /// Creates a method from its key and name. Generated code calls this initialiser.
  public init(key: UInt32, name: String) {
    self.key = key
    self.name = name
  }

  /// The description of the method without its Swift types.
  public var description: MethodDescription {
    MethodDescription(key: key, name: name, isStream: false)
  }
}
