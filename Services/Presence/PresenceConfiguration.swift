import Bus
import Ownership
import ZeroMQ

/// The endpoints and rules of a presence instance.
struct PresenceConfiguration: Sendable {
  /// The name of this instance, for example `presence-a`.
  var instance: String

  /// The endpoint for requests of gateways and media.
  var requests: Endpoint

  /// The endpoint where gateways subscribe to its events.
  var events: Endpoint

  var rules = PresenceRules()

  /// The least number of events per meeting kept for replay.
  var replayEvents = 1024

  /// The addresses for peers on other hosts.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "presence", instance: instance, requests: requests, events: events, reach: reach)
  }
}
