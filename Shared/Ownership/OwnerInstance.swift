public import Bus
public import ZeroMQ

/// The identity of an owner's instance, and its endpoints.
public struct OwnerInstance: Sendable {
  /// The name of the service, for example `presence`.
  public var service: String

  /// The name of the instance, for example `presence-a`.
  public var instance: String

  /// The endpoint for requests.
  public var requests: Endpoint

  /// The endpoint at which the instance publishes its events and beacons.
  public var events: Endpoint

  /// Further endpoints by purpose, for example `media`.
  public var others: [String: String]

  /// The addresses for peers on other hosts.
  public var reach: HostEndpoints

  /// Creates the value. The registry later checks whether the instance's name is free.
  public init(
    service: String, instance: String, requests: Endpoint, events: Endpoint,
    others: [String: String] = [:], reach: HostEndpoints = HostEndpoints()
  ) {
    self.service = service
    self.instance = instance
    self.requests = requests
    self.events = events
    self.others = others
    self.reach = reach
  }

  /// The entry for the registry.
  var announcement: InstanceAnnouncement {
    let own = ["rpc": requests.text, "events": events.text]
    return InstanceAnnouncement(
      service: service, instance: instance, endpoints: own.merging(others) { $1 },
      clusterEndpoints: reach.addresses, host: reach.host)
  }
}
