import Bus
import Ownership
import ZeroMQ

/// The endpoints and rules of an instance of `transcription`.
struct TranscriptionConfiguration: Sendable {
  /// The name of this instance, for example `transcription-a`.
  var instance: String

  /// The endpoint for requests of gateways.
  var requests: Endpoint

  /// The endpoint at which gateways subscribe to events.
  var events: Endpoint

  /// The endpoint at which engines attach.
  var engines: Endpoint

  var rules = TranscriptionRules()

  /// For each meeting, the minimum number of events that the service keeps for replays.
  var replayEvents = 1024

  /// The endpoints at which other hosts reach the instance.
  var reach = HostEndpoints()

  var place: OwnerInstance {
    OwnerInstance(
      service: "transcription", instance: instance, requests: requests, events: events,
      others: ["engines": engines.text], reach: reach)
  }
}
