/// The keys of log metadata, one spelling per subject.
///
/// The `description` of an identifier is a shortened form of the identifier. No code logs the text
/// of messages and transcripts, under any key.
public enum LogMetadataKey {
  /// A meeting's id.
  public static let meeting = "meeting.id"
  /// An attendee's id.
  public static let attendee = "attendee.id"
  /// A client session's id.
  public static let session = "session.id"
  /// Whether the entry is about the attendee's content share.
  public static let isContent = "attendee.is_content"
  /// The trace of a request, from its `traceparent`.
  public static let trace = "trace.id"
  /// A request's id.
  public static let request = "request.id"
  /// A request's method, such as `Presence.Join`.
  public static let method = "request.method"
  /// A canonical status code.
  public static let status = "status.code"
  /// A length of time, with its unit.
  public static let duration = "duration"
  /// A stream's epoch.
  public static let epoch = "stream.epoch"
  /// A stream's sequence number.
  public static let sequence = "stream.sequence"
  /// An owner's term.
  public static let term = "owner.term"
  /// The instance name of this process. Every line contains this key.
  public static let instance = "service.instance"
  /// One of the services that a process runs.
  public static let service = "service.name"
  /// The version of this build.
  public static let version = "service.version"
  /// A socket address or endpoint.
  public static let endpoint = "endpoint"
  /// The address of the peer.
  public static let peer = "peer.address"
  /// Names of variables of the environment, never their values.
  public static let variables = "variables"
  /// A file or directory.
  public static let path = "path"
  /// A number of items.
  public static let count = "count"
  /// The reason for an action or a refusal.
  public static let reason = "reason"
  /// An error, with its cause.
  public static let error = "error"
  /// A signal's number, see `signal(7)`.
  public static let signal = "signal"
  /// The prefix of the keys of settings; the flag's name follows.
  public static let setting = "config."
}
