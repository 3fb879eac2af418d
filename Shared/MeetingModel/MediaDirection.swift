/// What an attendee may do with one medium. The raw values are the control API's words.
public enum MediaDirection: String, CaseIterable, Hashable, Sendable {
  case sendReceive = "SendReceive"
  case send = "Send"
  case receive = "Receive"
  case none = "None"

  public var canSend: Bool { self == .sendReceive || self == .send }

  public var canReceive: Bool { self == .sendReceive || self == .receive }
}
