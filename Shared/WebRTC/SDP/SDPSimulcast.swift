/// A stream of a section. Packets name the stream by a restriction id (RFC 8851, §4).
public struct OfferedRID: Hashable, Sendable {
  /// The id that packets of the stream carry.
  public let id: String

  /// Whether the offerer sends the stream. If `false`, the offerer receives the stream.
  public let isSent: Bool

  /// Payload types and limits, `pt=96;max-width=1280`; empty if there are no restrictions.
  public let restrictions: String

  /// Reads the value of `a=rid`; `nil` if the value is malformed.
  init?(_ value: String) {
    let words = value.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[1] == "send" || words[1] == "recv" else { return nil }
    (id, isSent) = (String(words[0]), words[1] == "send")
    restrictions = words.count > 2 ? String(words[2]) : ""
  }
}

/// The simulcast streams of a section (RFC 8853, §5.1).
public struct SDPSimulcast: Hashable, Sendable {
  /// A stream with one or several alternative ids.
  public struct Layer: Hashable, Sendable {
    /// The ids, preferred first.
    public let ids: [String]

    /// Whether the stream is initially paused (`~`).
    public let isPaused: Bool

    init(_ text: Substring) {
      isPaused = text.hasPrefix("~")
      ids = text.split(separator: ",").map { String($0.drop { $0 == "~" }) }
    }
  }

  /// Streams that the offerer sends.
  public let sent: [Layer]

  /// Streams that the offerer wants to receive.
  public let received: [Layer]

  /// Reads the value of `a=simulcast`: `send low;~mid;hi recv …`.
  init(_ value: String) {
    let words = value.split(separator: " ")
    (sent, received) = (Self.layers("send", words), Self.layers("recv", words))
  }

  private static func layers(_ direction: Substring, _ words: [Substring]) -> [Layer] {
    guard let place = words.firstIndex(of: direction), place + 1 < words.count else { return [] }
    return words[place + 1].split(separator: ";").map { Layer($0) }
  }
}
