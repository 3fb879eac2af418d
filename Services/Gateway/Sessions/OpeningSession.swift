import MeetingModel

/// The state of a session before its stream begins: its Start, and the services' answers so far.
struct OpeningSession {
  let request: SessionRequest

  /// The turn in which the session opens; `nil` if the session needs none.
  var turn: AdmissionQueue.Ticket?

  /// The delivery of each service. The gateway makes the deliveries when the stream begins.
  var deliveries: [ServiceID: InitialDelivery] = [:]

  /// Whether the session was still in the roster of `presence` when the gateway asked `presence` to
  /// admit the session.
  var wasPresent = false

  /// Whether the gateway has all roster events that the client missed.
  var isRecovered = false
}

/// The items that a service sends to an admitted client.
struct InitialDelivery {
  /// Whether the client gets everything that it may see.
  ///
  /// If the client misses items, `session_started` or `events_lost` reports this to the client.
  var isComplete = true

  /// Queues the items for the client.
  ///
  /// Called at most once: in the turn in which the items arrive, or when the stream begins.
  let give: () -> Void
}
