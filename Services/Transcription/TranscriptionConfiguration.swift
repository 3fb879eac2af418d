import Bus
import Ownership
import ZeroMQ

/// The addresses of a transcription instance, and its rules.
struct TranscriptionConfiguration: Sendable {
  /// The name of this instance, for example `transcription-a`.
  var instance: String

  /// The address for requests from gateways and presence.
  var requests: Endpoint

  /// The address where gateways subscribe to events.
  var events: Endpoint

  /// The address where engines attach.
  var engines: Endpoint

  var rules = TranscriptionRules()

  /// The minimum number of events of one meeting that are kept for replay.
  var replayEvents = 1024

  /// The addresses for other hosts.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "transcription", instance: instance, requests: requests, events: events,
      others: ["engines": engines.text], reach: reach)
  }
}
