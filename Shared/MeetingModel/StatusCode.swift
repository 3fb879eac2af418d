/// The canonical status codes of gRPC, with their canonical numbers.
public enum StatusCode: UInt32, CaseIterable, Hashable, Sendable {
  /// The call did what was asked.
  case ok = 0
  /// The caller withdrew the call.
  case cancelled = 1
  /// The cause is not known; something below gave no better code.
  case unknown = 2
  /// Wrong whatever the state: fix the request.
  case invalidArgument = 3
  /// The deadline passed before an answer.
  case deadlineExceeded = 4
  /// No such meeting, attendee or other named thing.
  case notFound = 5
  /// What was to be made is there already, and differs.
  case alreadyExists = 6
  /// The caller is known but may not do this.
  case permissionDenied = 7
  /// A limit is reached: capacity, rate or memory.
  case resourceExhausted = 8
  /// Fix the state first; repeating the call alone does not help.
  case failedPrecondition = 9
  /// Redo the whole step, from looking up the owner on.
  case aborted = 10
  /// Past the end of what exists, such as a position of a stream.
  case outOfRange = 11
  /// The receiver does not know this method or version.
  case unimplemented = 12
  /// A bug on the side that answers.
  case internalError = 13
  /// Retry this call.
  case unavailable = 14
  /// Stored or transmitted data is damaged beyond repair.
  case dataLoss = 15
  /// The caller did not prove who it is.
  case unauthenticated = 16
}
