public import ArgumentParser
public import Bus
internal import MeetingModel
public import ServiceLifecycle
public import ZeroMQ

/// The flags of a service that services of other hosts can call.
public struct ClusterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Accept services of other hosts over tcp, at HOST, HOST:PORT or HOST:FROM-TO.",
      discussion: """
        CURVE encrypts the connections, and only keys of the allow-list may connect: see carillon \
        keys. One port takes requests, and the next port sends events. With FROM-TO, the service \
        takes the first free ports of the range. With HOST alone, the system chooses the ports. \
        Without this flag, only services of this host can connect.
        """))
  var clusterListen: String?

  @Option(
    help:
      """
      Host name or address at which other hosts reach --cluster-listen. Default: the HOST of \
      --cluster-listen, unless that is *.
      """)
  var clusterAdvertise: String?

  public init() {}

  public func validate() throws {
    let place = try place()
    guard place != nil || clusterAdvertise == nil else {
      throw ValidationError("--cluster-advertise needs --cluster-listen.")
    }
    if clusterAdvertise != nil, advertised == nil {
      throw ValidationError(
        "--cluster-advertise must be a host name or an address that others can call; got "
          + "\(clusterAdvertise ?? "").")
    }
    guard let place, place.isWildcard else { return }
    guard advertised != nil else {
      throw ValidationError(
        "--cluster-listen \(place.host) needs --cluster-advertise: other hosts cannot connect to "
          + "\(place.host).")
    }
  }

  /// The host name or address to announce to other hosts; `nil` unless `--cluster-advertise` is
  /// valid.
  private var advertised: String? {
    guard let place = clusterAdvertise.flatMap({ ClusterListenAddress($0) }), place.allowed == .any,
      !place.isWildcard
    else { return nil }
    return place.host
  }

  func place() throws -> ClusterListenAddress? {
    guard let clusterListen else { return nil }
    guard let place = ClusterListenAddress(clusterListen) else {
      throw ValidationError(
        "--cluster-listen must be HOST, HOST:PORT or HOST:FROM-TO; got \(clusterListen).")
    }
    return place
  }

  /// Checks that `--cluster-listen` permits enough ports: one port for each of the given purposes.
  ///
  /// Services call this method when they validate their flags, because only a service knows the
  /// number of its endpoints.
  public func checkRoom(for purposes: [String]) throws {
    do { try place()?.checkRoom(for: purposes.count) } catch let error as HostError {
      throw ValidationError("\(error)")
    }
  }

  /// Creates the endpoints at which other hosts reach an instance, and the services that these
  /// endpoints need.
  ///
  /// - Parameters:
  ///   - purposes: The purposes of the endpoints, in the order of the ports.
  ///   - context: The ZeroMQ context of the instance's sockets.
  /// - Throws: ``HostError/configuration(_:)`` if keys or ports are missing.
  public func open(
    for purposes: [String], in host: Host, _ context: ZMQContext
  ) throws -> ClusterEndpoints {
    var reach = HostEndpoints(from: HostIdentity.of(runtimeDirectory: host.runtimeDirectory))
    guard let place = try place() else { return ClusterEndpoints(reach: reach, services: []) }
    let keys = try host.serviceKeys()
    let list = try Self.reporting { () throws(KeyError) in try host.keys.list() }
    let metrics = RefusedPeerMetrics(of: host)
    let admission = KeyAdmission(list) { metrics.count($0) }
    for (purpose, number) in zip(purposes, try place.ports(purposes.count)) {
      let endpoint = try Endpoint.tcp(host: place.host, port: number)
      reach.ports[purpose] = SecuredPort(endpoint, as: keys, letting: admission)
      let told = try Endpoint.tcp(host: advertised ?? place.host, port: number)
      reach.addresses[purpose] = told.encrypted(for: keys.publicKey).text
    }
    let authenticator = PeerAuthenticationService(
      admission, of: host.keys, in: context, metrics: metrics, logger: host.logger)
    return ClusterEndpoints(reach: reach, services: [authenticator])
  }

  static func reporting<Value>(
    _ body: () throws(KeyError) -> Value
  ) throws(HostError) -> Value {
    do { return try body() } catch { throw .configuration(error.status.message) }
  }
}

/// The endpoints at which other hosts reach an instance, and the services that these endpoints
/// need.
public struct ClusterEndpoints: Sendable {
  /// The endpoints that the instance announces and listens on.
  public let reach: HostEndpoints

  /// The services that must start before the service that listens on these endpoints, and stop
  /// after that service.
  public let services: [any Service]
}

extension Host {
  /// Returns the keys of this host's services.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if there are no keys, or if this process cannot use
  ///   the file of the keys.
  public func serviceKeys() throws(HostError) -> CurveKeyPair {
    try ClusterOptions.reporting { () throws(KeyError) in
      guard let keys = try self.keys.keys() else { throw .noKeys(directory: self.keys.path) }
      return keys
    }
  }

  /// Makes the context of the process. The context's sockets use this host's keys, if the host has
  /// keys.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if this process cannot use the file of the keys.
  public func makeContext(ioThreads: Int = 1) throws -> ZMQContext {
    let identity = try ClusterOptions.reporting { () throws(KeyError) in try keys.keys() }
    return try ZMQContext(ioThreads: ioThreads, identity: identity)
  }
}
