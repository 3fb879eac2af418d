/// The instance name of a gateway, such as `gateway-a`.
public struct GatewayName: Hashable, Sendable {
  /// The name as given.
  public let text: String

  /// Creates a name; `nil` unless it has 1-64 ASCII letters, digits, `-`, `_` or `.`.
  public init?(_ text: String) {
    guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    self.text = text
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension GatewayName: Comparable {
  public static func < (left: GatewayName, right: GatewayName) -> Bool { left.text < right.text }
}

extension GatewayName: CustomStringConvertible {
  public var description: String { text }
}
