import MeetingModel

/// What a session is until its stream begins: its Start, and what the services have answered so
/// far.
struct SessionOpening {
  let request: SessionRequest

  /// In which it is opened; `nil` where nobody waits for turns.
  var turn: AdmissionQueue.Ticket?

  /// What each service gives the client when the stream begins.
  var deliveries: [ServiceID: Delivery] = [:]

  /// Presence still had the session in the roster.
  var wasPresent = false

  /// All events of the roster that the client missed are known.
  var isRecovered = false
}

/// What a service has for a client that it took in.
struct Delivery {
  /// Nothing that the client may see was lost. If not, it is told so, in `session_started` or by
  /// `events_lost`.
  var isComplete = true

  /// Queues it for the client. Called at most once, in the turn in which it is known or when the
  /// stream begins.
  let give: () -> Void
}
