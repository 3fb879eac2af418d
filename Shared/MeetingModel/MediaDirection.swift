/// The directions allowed for one medium; the raw values are the control API's words.
public enum MediaDirection: String, CaseIterable, Hashable, Sendable {
  /// The attendee may send and receive.
  case sendReceive = "SendReceive"
  /// The attendee may only send.
  case send = "Send"
  /// The attendee may only receive.
  case receive = "Receive"
  /// The attendee may neither send nor receive.
  case none = "None"

  /// Whether sending is allowed.
  public var canSend: Bool { self == .sendReceive || self == .send }

  /// Whether receiving is allowed.
  public var canReceive: Bool { self == .sendReceive || self == .receive }
}
