/// How the services of one machine are run.
package struct InstallationSettings: Hashable, Sendable {
  /// Absolute path of the directory of Unix sockets.
  package var runtimeDirectory: String
  /// Directory for what must survive a restart; `nil` leaves the choice to the services.
  package var dataDirectory: String?
  /// Where REST is served on 127.0.0.1. Not 0: a gateway that is started again comes back there.
  package var restPort: UInt16
  /// `HOST:PORT` of the gateway's TCP endpoint for clients, if there is to be one.
  package var gatewayTCP: String?
  /// `HOST:PORT` of media's TCP endpoint for clients, if there is to be one.
  package var mediaTCP: String?
  /// Whether REST takes requests without a signature. If not, the gateway hands a key to programs
  /// of this user.
  package var allowsUnsigned: Bool
  /// Folder of the page that is served to browsers, for whoever is on this machine; `nil`: none is.
  package var webRoot: String?
  /// How many attendees may be in a meeting at once; presence's own limit if not given.
  package var seats: Int?
  /// Seconds a service may take to stop.
  package var drainSeconds: Int
  /// Directory of the services' executables.
  package var executables: String
  /// The environment of services for which there is no other.
  package var environment: [String: String]

  /// Where the key of the operator's page is, unless the environment says otherwise.
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
