/// The settings with which the services of one machine run.
package struct InstallationSettings: Hashable, Sendable {
  /// Absolute path of the directory of Unix sockets.
  package var runtimeDirectory: String
  /// The directory for persistent data; `nil` leaves the choice to the services.
  package var dataDirectory: String?
  /// The REST port on 127.0.0.1, not 0, so that a restarted gateway uses the same port.
  package var restPort: UInt16
  /// `HOST:PORT` of the gateway's TCP endpoint for clients; `nil` if the gateway has no TCP
  /// endpoint.
  package var gatewayTCP: String?
  /// `HOST:PORT` of the TCP endpoint of `media` for clients; `nil` if `media` has no TCP endpoint.
  package var mediaTCP: String?
  /// Whether the control API accepts unsigned requests.
  ///
  /// A gateway that accepts no unsigned requests publishes an access key for programs of this user.
  package var allowsUnsigned: Bool
  /// The folder of the web page for browsers on this machine; `nil` serves no page.
  package var webRoot: String?
  /// The maximum number of simultaneous attendees in a meeting; `nil` uses the limit of `presence`.
  package var seats: Int?
  /// The seconds that a service may take to stop.
  package var drainSeconds: Int
  /// The directory of the services' executables.
  package var executables: String
  /// The environment of services that have no separate environment.
  package var environment: [String: String]

  /// The path of the operator page's key, unless the environment names another file.
  package var operatorKeyFile: String { "\(runtimeDirectory)/web-operator.key" }

  package init(
    runtimeDirectory: String, dataDirectory: String? = nil, restPort: UInt16,
    gatewayTCP: String? = nil, mediaTCP: String? = nil, allowsUnsigned: Bool,
    webRoot: String? = nil, seats: Int? = nil,
    drainSeconds: Int, executables: String, environment: [String: String]
  ) {
    self.runtimeDirectory = runtimeDirectory
    self.dataDirectory = dataDirectory
    self.restPort = restPort
    self.gatewayTCP = gatewayTCP
    self.mediaTCP = mediaTCP
    self.allowsUnsigned = allowsUnsigned
    self.webRoot = webRoot
    self.seats = seats
    self.drainSeconds = drainSeconds
    self.executables = executables
    self.environment = environment
  }
}
