import MeetingModel

/// The state of a session before its stream begins: its Start, and the services' answers so far.
struct SessionOpening {
  let request: SessionRequest

  /// The admission turn of the opening; `nil` if it needs none.
  var turn: AdmissionQueue.Ticket?

  /// The delivery of each service, for when the stream begins.
  var deliveries: [ServiceID: Delivery] = [:]

  /// Whether presence still had the session in the roster.
  var wasPresent = false

  /// Whether all roster events that the client missed are known.
  var isRecovered = false
}

/// The items of a service for a client that it admitted.
struct Delivery {
  /// Whether nothing was lost that the client may see.
  ///
  /// Otherwise `session_started` or `events_lost` informs the client.
  var isComplete = true

  /// Queues the items for the client.
  ///
  /// Called at most once, in the turn in which they are known or when the stream begins.
  let give: () -> Void
}
