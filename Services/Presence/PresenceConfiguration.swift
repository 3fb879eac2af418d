import Bus
import Ownership
import ZeroMQ

/// The endpoints and rules of an instance of `presence`.
struct PresenceConfiguration: Sendable {
  /// The name of this instance, for example `presence-a`.
  var instance: String

  /// The endpoint for requests of gateways and of `media`.
  var requests: Endpoint

  /// The endpoint at which gateways subscribe to events.
  var events: Endpoint

  var rules = PresenceRules()

  /// For each meeting, the minimum number of events that the service keeps for replays.
  var replayEvents = 1024

  /// The endpoints at which other hosts reach the instance.
  var reach = HostEndpoints()

  var place: OwnerInstance {
    OwnerInstance(
      service: "presence", instance: instance, requests: requests, events: events, reach: reach)
  }
}
