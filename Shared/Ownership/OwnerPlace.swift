public import Bus
public import ZeroMQ

/// Which instance of which service an owner is, and where it listens.
public struct OwnerPlace: Sendable {
  /// The name of the service, for example `presence`.
  public var service: String

  /// The name of the instance, for example `presence-a`.
  public var instance: String

  /// Where it is called.
  public var requests: Endpoint

  /// Where its events and beacons are published.
  public var events: Endpoint

  /// Where else it can be reached, by purpose, for example `media`.
  public var others: [String: String]

  /// How those of other hosts reach it.
  public var reach: Reach

  /// Makes a place; it is the registry that sees whether the name is free.
  public init(
    service: String, instance: String, requests: Endpoint, events: Endpoint,
    others: [String: String] = [:], reach: Reach = Reach()
  ) {
    self.service = service
    self.instance = instance
    self.requests = requests
    self.events = events
    self.others = others
    self.reach = reach
  }

  /// What the registry is told.
  var announcement: InstanceAnnouncement {
    let own = ["rpc": requests.text, "events": events.text]
    return InstanceAnnouncement(
      service: service, instance: instance, endpoints: own.merging(others) { $1 },
      clusterEndpoints: reach.addresses, host: reach.host)
  }
}
