/// Which host an instance is on, and how those of other hosts reach it.
public struct Reach: Sendable {
  /// See ``HostName``; empty: everybody is on the same.
  public var host: String

  /// The ports at which those of other hosts come in, by purpose: `rpc`, `events`, `engines`.
  public var ports: [String: SecuredPort]

  /// What those of other hosts are told, by the same purposes: `tcp://HOST:PORT?curve=KEY`.
  public var addresses: [String: String]

  /// From other hosts an instance without ports is not reached.
  public init(
    from host: String = "", ports: [String: SecuredPort] = [:], addresses: [String: String] = [:]
  ) {
    (self.host, self.ports, self.addresses) = (host, ports, addresses)
  }
}
