/// What kind of client events come from.
public enum EventClientType: Int, Sendable {
  case meet = 0
  case chat = 1

  /// As it is written in a request.
  public var description: String {
    switch self {
    case .meet: "Meet"
    case .chat: "Chat"
    }
  }
}
