/// An RTP header extension and the number that identifies it in packets (RFC 8285, §5).
public struct HeaderExtension: Hashable, Sendable {
  /// The number, 1-14 in one-byte headers and 1-255 in two-byte headers.
  public let id: UInt8

  /// The direction, seen from the side that wrote the `a=extmap` line; `nil` if the line has no
  /// direction.
  public let direction: MediaDirection?

  /// The URI that names the extension's meaning.
  public let uri: String

  /// The parameters of the extension; `nil` if the `a=extmap` line has no parameters.
  public let parameters: String?

  /// The URI of the transport-wide sequence number. This number counts a connection's packets
  /// across all streams (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 2).
  public static let transportWideNumber =
    "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

  /// The URI of the time at which the sender sent a packet: 24 bits, in units of 2^-18 s.
  public static let absoluteSendTime =
    "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"

  /// The longest URI in bytes. The parser limits the length, because a connection stores the
  /// meanings of all its numbers.
  private static let mostBytes = 256

  /// Reads the value of `a=extmap`: `ID[/direction] URI[ parameters]`.
  ///
  /// - Returns: `nil` if the value is malformed.
  public init?(_ value: String) {
    let words = value.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    let number = words[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count >= 2, let id = UInt8(number[0]), id > 0,
      (1...Self.mostBytes).contains(words[1].utf8.count)
    else { return nil }
    let direction = number.count > 1 ? MediaDirection(rawValue: String(number[1])) : nil
    guard number.count == 1 || direction != nil else { return nil }
    (self.id, self.direction, uri) = (id, direction, String(words[1]))
    parameters = words.count > 2 ? String(words[2]) : nil
  }

  /// The value of `a=extmap`, with the direction seen from the other side.
  public var reversed: String {
    let direction = direction.map { "/\($0.reversed.rawValue)" } ?? ""
    return "\(id)\(direction) \(uri)" + (parameters.map { " \($0)" } ?? "")
  }
}
