import Bus
import Ownership
import ZeroMQ

/// Where a presence instance listens and by which numbers it decides.
struct PresenceConfiguration: Sendable {
  /// The name of this instance, for example `presence-a`.
  var instance: String

  /// Where gateways and media call it.
  var requests: Endpoint

  /// Where gateways subscribe to its events.
  var events: Endpoint

  var rules = PresenceRules()

  /// Events of one meeting that stay for replay, at least.
  var replayEvents = 1024

  /// How those of other hosts reach it.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "presence", instance: instance, requests: requests, events: events, reach: reach)
  }
}
