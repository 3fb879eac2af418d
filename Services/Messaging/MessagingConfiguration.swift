import Bus
import Ownership
import ZeroMQ

/// The endpoints and rules of an instance of `messaging`.
struct MessagingConfiguration: Sendable {
  /// The name of this instance, for example `messaging-a`.
  var instance: String

  /// The endpoint for requests of gateways.
  var requests: Endpoint

  /// The endpoint at which gateways subscribe to events.
  var events: Endpoint

  var rules = MessagingRules()

  /// The maximum number of requests that may wait for the disk.
  var maxWaiting = 65_536

  /// The endpoints at which other hosts reach the instance.
  var reach = HostEndpoints()

  var place: OwnerInstance {
    OwnerInstance(
      service: "messaging", instance: instance, requests: requests, events: events, reach: reach)
  }
}
