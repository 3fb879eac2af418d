/// The canonical status codes of gRPC, with their canonical numbers.
public enum StatusCode: UInt32, CaseIterable, Hashable, Sendable {
  /// The call succeeded.
  case ok = 0
  /// The caller cancelled the call.
  case cancelled = 1
  /// The cause is unknown; a lower layer reported no better code.
  case unknown = 2
  /// The request is invalid in any state: fix the request.
  case invalidArgument = 3
  /// The deadline passed before a response.
  case deadlineExceeded = 4
  /// The request names a meeting, attendee or other object that does not exist.
  case notFound = 5
  /// The object that the request creates already exists with other properties.
  case alreadyExists = 6
  /// The caller is authenticated, but not permitted.
  case permissionDenied = 7
  /// The request exceeds a limit: capacity, rate or memory.
  case resourceExhausted = 8
  /// The state does not allow the request. Change the state first, because a retry alone does not
  /// help.
  case failedPrecondition = 9
  /// The state on which the request relied has changed. Retry the whole step from its beginning,
  /// including the lookup of the owner.
  case aborted = 10
  /// The request is past the end, for example past the end of a stream.
  case outOfRange = 11
  /// The receiver does not know this method or version.
  case unimplemented = 12
  /// A bug on the responding side.
  case internalError = 13
  /// The service is unavailable: retry the call.
  case unavailable = 14
  /// Stored or transmitted data is damaged beyond repair.
  case dataLoss = 15
  /// The caller is not authenticated.
  case unauthenticated = 16
}
