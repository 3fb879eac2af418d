/// A method that answers with any number of items. The values are generated.
public struct StreamMethod<Request: WireMessage, Item: WireMessage>: Sendable, Hashable {
  /// FNV-1a (32 bit) of ``name``; what request headers carry.
  public let key: UInt32
  /// For example `carillon.v1.AudioVideoFacade/Start`.
  public let name: String

  public init(key: UInt32, name: String) {
    self.key = key
    self.name = name
  }

  public var description: MethodDescription {
    MethodDescription(key: key, name: name, isStream: true)
  }
}
