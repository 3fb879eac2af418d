import Bus
import Ownership
import ZeroMQ

/// Where a transcription instance listens and by which numbers it decides.
struct TranscriptionConfiguration: Sendable {
  /// The name of this instance, for example `transcription-a`.
  var instance: String

  /// Where gateways and presence call it.
  var requests: Endpoint

  /// Where gateways subscribe to its events.
  var events: Endpoint

  /// Where engines attach themselves.
  var engines: Endpoint

  var rules = TranscriptionRules()

  /// Events of one meeting that stay for replay, at least.
  var replayEvents = 1024

  /// How those of other hosts reach it.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "transcription", instance: instance, requests: requests, events: events,
      others: ["engines": engines.text], reach: reach)
  }
}
