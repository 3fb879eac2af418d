/// A method that answers with any number of items. The values are generated.
public struct StreamMethod<Request: WireMessage, Item: WireMessage>: Sendable, Hashable {
  /// FNV-1a (32 bit) of ``name``; what request headers carry.
  public let key: UInt32
  /// The name in the contract, for example `carillon.v1.AudioVideoFacade/Start`.
  public let name: String

  /// Names a method; generated code makes these.
  public init(key: UInt32, name: String) {
    self.key = key
    self.name = name
  }

  /// The method without its types.
  public var description: MethodDescription {
    MethodDescription(key: key, name: name, isStream: true)
  }
}
