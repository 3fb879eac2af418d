/// How the services of one machine are run.
struct InstallationSettings: Hashable, Sendable {
  /// Absolute path of the directory of Unix sockets.
  var runtimeDirectory: String
  /// Directory for what must survive a restart; `nil` leaves the choice to the services.
  var dataDirectory: String?
  /// Where REST is served on 127.0.0.1. Not 0: a gateway that is started again comes back there.
  var restPort: UInt16
  /// `HOST:PORT` of the gateway's TCP endpoint for clients, if there is to be one.
  var gatewayTCP: String?
  /// `HOST:PORT` of media's TCP endpoint for clients, if there is to be one.
  var mediaTCP: String?
  /// Whether REST takes requests without a signature.
  var allowsUnsigned: Bool
  /// Seconds a service may take to stop.
  var drainSeconds: Int
  /// Directory of the services' executables.
  var executables: String
  /// The environment of services for which there is no other.
  var environment: [String: String]
}
