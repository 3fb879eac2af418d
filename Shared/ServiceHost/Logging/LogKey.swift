/// The keys of log metadata: one spelling for each thing that is logged.
///
/// Identifiers shorten themselves in `description`; the text of messages and transcripts is never
/// logged, under any key.
public enum LogKey {
  /// A meeting's id.
  public static let meeting = "meeting.id"
  /// An attendee's id.
  public static let attendee = "attendee.id"
  /// A client session's id.
  public static let session = "session.id"
  /// Whether it is about the attendee's content share.
  public static let isContent = "attendee.is_content"
  /// The trace that a request belongs to, of its `traceparent`.
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
  /// This process's instance name; on every line.
  public static let instance = "service.instance"
  /// One of the services a process runs.
  public static let service = "service.name"
  /// The version of this build.
  public static let version = "service.version"
  /// A socket address or endpoint.
  public static let endpoint = "endpoint"
  /// The address of whoever is at the other end.
  public static let peer = "peer.address"
  /// Names of variables of the environment, never their values.
  public static let variables = "variables"
  /// A file or directory.
  public static let path = "path"
  /// How many of something.
  public static let count = "count"
  /// Why something was done or refused.
  public static let reason = "reason"
  /// What went wrong, with its cause.
  public static let error = "error"
  /// A signal's number, see `signal(7)`.
  public static let signal = "signal"
  /// What the keys of settings begin with; the flag's name follows.
  public static let setting = "config."
}
