import Bus
import Ownership
import ZeroMQ

/// The addresses of a messaging instance, and its rules.
struct MessagingConfiguration: Sendable {
  /// The name of this instance, for example `messaging-a`.
  var instance: String

  /// The address for requests from gateways and presence.
  var requests: Endpoint

  /// The address where gateways subscribe to events.
  var events: Endpoint

  var rules = MessagingRules()

  /// The maximum number of requests that may wait for the disk.
  var maxWaiting = 65_536

  /// The addresses for other hosts.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "messaging", instance: instance, requests: requests, events: events, reach: reach)
  }
}
