/// The errors that Carillon adds to the errors of the meetings SDK for iOS.
public enum CarillonClientError: Error, Hashable, CustomStringConvertible {
  /// A protocol of this library declares the call, but this version does not implement the call.
  /// The associated value is the name of the call.
  case notAvailableYet(_ call: String)
  /// The call needs media, and the application created the session without media. The associated
  /// value is the name of the call.
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
