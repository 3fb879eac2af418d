/// The host of an instance, and its endpoints for other hosts.
public struct HostEndpoints: Sendable {
  /// The instance's host, see ``HostIdentity``; empty if all instances are on the same host.
  public var host: String

  /// The ports for peers on other hosts, by purpose: `rpc`, `events`, `engines`.
  public var ports: [String: SecuredPort]

  /// The addresses that the instance announces to other hosts, by purpose:
  /// `tcp://HOST:PORT?curve=KEY`.
  public var addresses: [String: String]

  /// Makes endpoints. Without ports, other hosts cannot reach the instance.
  public init(
    from host: String = "", ports: [String: SecuredPort] = [:], addresses: [String: String] = [:]
  ) {
    (self.host, self.ports, self.addresses) = (host, ports, addresses)
  }
}
