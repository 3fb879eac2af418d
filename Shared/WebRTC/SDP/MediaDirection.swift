/// The direction of a section, seen from the side that wrote the section (RFC 8866, §6.7).
public enum MediaDirection: String, Hashable, Sendable {
  /// Both sides send.
  case sendReceive = "sendrecv"
  /// Only this side sends.
  case sendOnly = "sendonly"
  /// Only the other side sends.
  case receiveOnly = "recvonly"
  /// Neither side sends.
  case inactive

  /// The same direction, seen from the other side.
  public var reversed: MediaDirection {
    switch self {
    case .sendOnly: .receiveOnly
    case .receiveOnly: .sendOnly
    case .sendReceive, .inactive: self
    }
  }
}

extension SDPOffer.Section {
  /// The section's direction, seen from the side that wrote the section; `sendrecv` if the section
  /// has no direction.
  public var direction: MediaDirection {
    let named: [MediaDirection] = [.inactive, .sendOnly, .receiveOnly]
    return named.first { self[$0.rawValue] != nil } ?? .sendReceive
  }
}
