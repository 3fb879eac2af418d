/// What goes wrong in this library beside the errors that the facade itself defines.
public enum CarillonClientError: Error, Hashable, CustomStringConvertible {
  /// The facade declares the call but this version does not carry it out. The call is named.
  case notAvailableYet(_ call: String)
  /// The session was made without media, and the call needs it. The call is named.
  case noMedia(_ call: String)

  public var description: String {
    switch self {
    case .notAvailableYet(let call):
      "\(call) is not available yet in CarillonClient \(Versioning.sdkVersion())."
    case .noMedia(let call):
      "\(call): the session carries no media. DefaultMeetingSession of CarillonClient does."
    }
  }
}
