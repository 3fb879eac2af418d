package import Output

/// Two services that would listen on the same TCP port.
///
/// The services would start, and the second service would fail again and again. So `carillon up`
/// refuses such settings before it starts anything, and `carillon config check` reports them.
package struct PortConflict: Hashable, Sendable {
  /// The fault, as a sentence without its final period.
  package let fault: String
  /// The action that corrects the fault.
  package let remedy: String
  /// The environment variables that cause the conflict.
  package let variables: [String]

  /// Returns the conflicts of services that start together.
  ///
  /// - Parameters:
  ///   - settings: The settings of the installation.
  ///   - environments: The settings in the environment of each service, by the service's name.
  package static func all(
    _ services: [LaunchedService], in settings: InstallationSettings,
    environments: [String: [String: String]]
  ) -> [PortConflict] {
    let claims = services.flatMap { service in
      ServiceListenPort.all(
        of: service, in: settings, environment: environments[service.name] ?? [:])
    }
    var conflicts: [PortConflict] = []
    var reported: Set<ServiceListenPort> = []
    for claim in claims where !reported.contains(claim) {
      let rivals = claims.filter { $0.collides(with: claim) }
      guard rivals.count > 1 else { continue }
      reported.formUnion(rivals)
      conflicts.append(PortConflict(between: rivals))
    }
    return conflicts
  }

  /// Throws an error if services would listen on the same port.
  ///
  /// - Throws: ``CommandFailure`` with all conflicts and their remedies.
  package static func refuse(
    _ services: [LaunchedService], in settings: InstallationSettings,
    environments: [String: [String: String]]
  ) throws(CommandFailure) {
    let conflicts = all(services, in: settings, environments: environments)
    guard conflicts.isEmpty else {
      throw .configuration(
        conflicts.map { "\($0.fault); \($0.remedy)." }.joined(separator: " "))
    }
  }

  private init(between claims: [ServiceListenPort]) {
    let places = claims.map { "\($0.service) (\($0.source))" }.joined(separator: ", ")
    fault = "\(places) would listen on the same port, \(claims[0].place)"
    remedy = claims[0].flag.remedy
    variables = Set(claims.map(\.source).filter { $0.hasPrefix(ServiceEnvironment.prefix) })
      .sorted()
  }
}

/// A TCP port on which a service would listen.
private struct ServiceListenPort: Hashable {
  /// A flag of services that sets a port.
  enum Flag: String, CaseIterable {
    case restPort = "rest-port"
    case listenTCP = "listen-tcp"
    case clusterListen = "cluster-listen"
    case healthPort = "health-port"

    /// Whether `--port-attempts` lets a service take the next free port.
    var isMovable: Bool { self == .restPort || self == .listenTCP }

    var remedy: String {
      switch self {
      case .restPort: "choose another port for one of the two"
      case .listenTCP:
        "give --gateway-tcp and --media-tcp of carillon up different ports, or also set "
          + "\(ServiceFlag.variable(for: "port-attempts")) to 2 or more, so that each service "
          + "takes the first free port"
      case .clusterListen:
        "set it to HOST:FROM-TO with ports for all services, or to HOST alone"
      case .healthPort:
        "remove it, because each service serves health and metrics at its Unix socket, or set it "
          + "to 0, so that each service takes a free port"
      }
    }
  }

  let service: String
  let flag: Flag
  /// The flag of `carillon up`, or the environment variable.
  let source: String
  let host: String
  let port: Int

  var place: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  func collides(with other: ServiceListenPort) -> Bool {
    port == other.port
      && (host == other.host || Self.isWildcard(host) || Self.isWildcard(other.host))
  }

  private static func isWildcard(_ host: String) -> Bool { ["*", "0.0.0.0", "::"].contains(host) }

  /// Returns the fixed ports of a service. Ports that the service or the system chooses do not
  /// count.
  static func all(
    of service: LaunchedService, in settings: InstallationSettings,
    environment: [String: String]
  ) -> [ServiceListenPort] {
    let arguments = service.arguments(in: settings, environment: environment)
    func variable(_ flag: String) -> String? {
      environment[ServiceFlag.variable(for: flag)].flatMap { $0.isEmpty ? nil : $0 }
    }
    let isMovable = variable("port-attempts").flatMap { Int($0) }.map { $0 > 1 } ?? false
    return Flag.allCases.compactMap { flag in
      guard !(flag.isMovable && isMovable) else { return nil }
      let given = arguments.firstIndex(of: "--\(flag.rawValue)").map { arguments[$0 + 1] }
      guard let text = given ?? variable(flag.rawValue) else { return nil }
      let isFromEnvironment = given == nil || variable(flag.rawValue) == given
      let ownFlag = flag == .listenTCP ? "--\(service.name)-tcp" : "--\(flag.rawValue)"
      let source = isFromEnvironment ? ServiceFlag.variable(for: flag.rawValue) : ownFlag
      switch flag {
      case .restPort, .healthPort:
        guard let port = Int(text), port > 0 else { return nil }
        let host = flag == .restPort ? variable("rest-host") : nil
        return ServiceListenPort(
          service: service.name, flag: flag, source: source, host: host ?? "127.0.0.1", port: port)
      case .listenTCP, .clusterListen:
        // With HOST:FROM-TO, or with HOST alone, the service chooses the port.
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...])
        else { return nil }
        let host = text[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        return ServiceListenPort(
          service: service.name, flag: flag, source: source, host: String(host), port: port)
      }
    }
  }
}
