public import MeetingModel

/// An error of the stores.
public enum StorageError: StatusConvertible, Hashable {
  /// The meeting is unknown or has ended.
  case meetingNotFound(MeetingID)

  /// The meeting has no such attendee, or a request has deleted the attendee.
  case attendeeNotFound(AttendeeID)

  /// Another request created a live meeting with this client request token.
  case requestTokenConflict(ClientRequestToken)

  /// The meeting has its maximum number of attendees.
  case meetingFull(capacity: Int)

  /// The number of live meetings has reached its maximum.
  case meetingLimit(Int)

  /// The primary has its maximum number of replicas.
  case replicaLimit(Int)

  /// A meeting would exceed its maximum number of tags.
  case tooManyTags(Int)

  /// The requested primary of a replica is unknown, has ended, or is a replica itself.
  case primaryUnusable(MeetingID)

  /// A value is invalid, or not allowed in this meeting.
  case invalid(InvalidModelValue)

  /// The database does not answer in time, or does not answer at all. `cause` is for the log.
  case unavailable(path: String, cause: String)

  /// The database file is damaged, or contains a value that its column does not allow.
  case corrupt(path: String, cause: String)

  /// A newer version of this software wrote the database file.
  case newerSchema(path: String)

  /// The key file is unusable. `problem` is a sentence with the remedy.
  case keyFile(path: String, problem: String)

  /// The file of access keys is unusable. `problem` is a sentence with the remedy.
  case accessKeyFile(path: String, problem: String)

  /// There is no such access key.
  case accessKeyNotFound(String)

  /// There is no such receiver of events.
  case webhookNotFound(String)

  /// The store already has a receiver of events with this URL, and the settings of that receiver
  /// differ.
  case webhookConflict

  /// The number of event receivers has reached its maximum.
  case tooManyWebhooks(Int)

  /// Somebody cancelled the calling task. The store may have executed the task's request.
  case cancelled

  /// A bug in this module. `cause` is for the log and not part of the status.
  case internalFailure(cause: String)

  /// The status for a client, without the path and the cause.
  public var status: Status {
    switch self {
    case .meetingNotFound(let id):
      Status(.notFound, "No meeting \(id.text); it may have ended. Create one first.")
    case .attendeeNotFound(let id):
      Status(.notFound, "No attendee \(id.text) in this meeting. Create one first.")
    case .requestTokenConflict(let token):
      Status(
        .alreadyExists,
        """
        A different request created a meeting with the client request token \(token.text); send \
        another token for this meeting.
        """)
    case .meetingFull(let capacity):
      Status(
        .resourceExhausted,
        "The meeting is full at \(capacity) attendees; delete one, or create the meeting with a "
          + "larger maximum.",
        session: .audioCallAtCapacity, reason: .meetingFull)
    case .replicaLimit(let limit):
      Status(
        .resourceExhausted,
        "The primary has \(limit) replicas, which is the limit; delete one first.")
    case .tooManyTags(let limit):
      Status(
        .resourceExhausted,
        "A meeting may have at most \(limit) tags, so none was set; remove some first.")
    case .primaryUnusable(let id):
      Status(
        .invalidArgument,
        "\(id.text) cannot be a primary: it must be a live meeting that is no replica itself.")
    case .invalid(let error):
      error.status
    case .unavailable:
      Status(.unavailable, "The store does not answer; retry later.")
    case .corrupt:
      Status(.dataLoss, "The store is damaged; the operator must restore it from a backup.")
    case .newerSchema:
      Status(
        .failedPrecondition,
        "A newer version of Carillon wrote the store; install that version or a later one.")
    case .keyFile(let path, let problem):
      Status(.failedPrecondition, "The key file \(path) cannot be used. \(problem)")
    case .accessKeyFile:
      Status(.unavailable, "The access keys cannot be read; the operator must look at the log.")
    case .accessKeyNotFound(let id):
      Status(.notFound, "No access key has the id \(id); carillon keys list shows all keys.")
    case .webhookNotFound:
      Status(.notFound, "No webhook has this id; carillon webhooks list shows all webhooks.")
    case .webhookConflict:
      Status(
        .alreadyExists,
        """
        A webhook with this Url and another value of Enabled exists; change it, or delete it \
        first.
        """)
    case .meetingLimit(let most):
      Status(
        .resourceExhausted,
        "There are \(most) meetings, which is the limit; end one, or raise --max-meetings.")
    case .tooManyWebhooks(let most):
      Status(
        .resourceExhausted, "There are \(most) webhooks, which is the limit; delete one first.")
    case .cancelled:
      Status(.cancelled, "The call was cancelled.")
    case .internalFailure:
      Status(.internalError, "The store failed on an internal error; see the log of the service.")
    }
  }
}

extension StorageError: CustomStringConvertible {
  /// The text for the operator's log: the status, and the path and the cause if they exist.
  public var description: String {
    switch self {
    case .unavailable(let path, let cause), .corrupt(let path, let cause):
      "\(status) (\(path): \(cause))"
    case .accessKeyFile(let path, let problem): "The access keys in \(path): \(problem)"
    case .newerSchema(let path): "\(status) (\(path))"
    case .internalFailure(let cause): "\(status) (\(cause))"
    case .meetingNotFound, .attendeeNotFound, .requestTokenConflict, .meetingFull, .meetingLimit,
      .replicaLimit,
      .tooManyTags, .primaryUnusable, .invalid, .keyFile, .accessKeyNotFound, .webhookNotFound,
      .webhookConflict, .tooManyWebhooks, .cancelled:
      "\(status)"
    }
  }
}
