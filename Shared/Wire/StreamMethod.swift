/// A method that answers with a stream of items. The plugin generates the values of this type.
public struct StreamMethod<Request: WireMessage, Item: WireMessage>: Sendable, Hashable {
  /// The 32-bit FNV-1a hash of ``name``. Request headers carry this hash.
  public let key: UInt32
  /// The name in the contract, for example `carillon.v1.AudioVideoFacade/Start`.
  public let name: String

  /// Creates a method from its key and name. Generated code calls this initialiser.
  public init(key: UInt32, name: String) {
    self.key = key
    self.name = name
  }

  /// The description of the method without its Swift types.
  public var description: MethodDescription {
    MethodDescription(key: key, name: name, isStream: true)
  }
}
