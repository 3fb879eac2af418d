public import ZeroMQ

/// Where a reply goes: the name a ROUTER gave to one connection.
///
/// It says which connection a request came by and is never an authority for who sent it.
public struct Route: Sendable {
  let frame: Frame
  private let bytes: [UInt8]

  public init(_ frame: Frame) {
    self.frame = frame
    bytes = frame.bytes
  }
}

extension Route: Hashable {
  public static func == (left: Route, right: Route) -> Bool { left.bytes == right.bytes }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension Route: CustomStringConvertible {
  /// For logs: the connection's name in hexadecimal.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
