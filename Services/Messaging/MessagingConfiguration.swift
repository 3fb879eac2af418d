import Bus
import Ownership
import ZeroMQ

/// Where a messaging instance listens and by which numbers it decides.
struct MessagingConfiguration: Sendable {
  /// The name of this instance, for example `messaging-a`.
  var instance: String

  /// Where gateways and presence call it.
  var requests: Endpoint

  /// Where gateways subscribe to its events.
  var events: Endpoint

  var rules = MessagingRules()

  /// Requests that may wait for the disk.
  var maxWaiting = 65_536

  /// How those of other hosts reach it.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "messaging", instance: instance, requests: requests, events: events, reach: reach)
  }
}
