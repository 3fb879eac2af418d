/// A service that `carillon up` runs, with its name and flags.
package struct LaunchedService: Sendable {
  package let name: String

  /// Whether an installation works without the service, or with another program in place of the
  /// service.
  package let isOptional: Bool
  /// The name of the executable.
  package let program: String
  private let flags: @Sendable (InstallationSettings) -> [String]
  private let choices: @Sendable (InstallationSettings) -> [OverridableFlag]

  /// A default flag, which the environment may override.
  package struct OverridableFlag: Sendable {
    /// The long name without dashes.
    let flag: String
    var value: String?

    var words: [String] { ["--\(flag)"] + (value.map { [$0] } ?? []) }
  }

  /// - Parameters:
  ///   - program: The name of the executable; `nil` uses the service's name.
  ///   - flags: The flags that follow from the settings.
  ///   - choices: The default flags, for settings that the service's environment may set instead.
  package init(
    _ name: String, program: String? = nil, isOptional: Bool = false,
    flags: @escaping @Sendable (InstallationSettings) -> [String] = { _ in [] },
    choices: @escaping @Sendable (InstallationSettings) -> [OverridableFlag] = { _ in [] }
  ) {
    self.name = name
    self.isOptional = isOptional
    self.program = program ?? name
    self.flags = flags
    self.choices = choices
  }

  /// The gateway's flag for the file with the operator page's key.
  package static let operatorKeyFlag = "web-operator-key-file"

  /// All services. Each service depends on the services before it in the list, and stops before
  /// these services.
  package static let all = [
    LaunchedService("presence") { settings in
      settings.seats.map { ["--max-attendees", "\($0)"] } ?? []
    },
    LaunchedService("messaging"),
    LaunchedService("video-tiles"),
    LaunchedService("media") { settings in
      settings.mediaTCP.map { ["--listen-tcp", $0] } ?? []
    },
    LaunchedService("transcription"),
    LaunchedService("pocketsphinx", program: "carillon-pocketsphinx", isOptional: true),
    LaunchedService(
      "gateway",
      flags: { settings in
        ["--rest-port", "\(settings.restPort)"]
          + (settings.gatewayTCP.map { ["--listen-tcp", $0] } ?? [])
          + (settings.allowsUnsigned ? ["--allow-unsigned"] : [])
          + (settings.webRoot.map { ["--web-root", $0] } ?? [])
      },
      choices: { settings in
        (settings.allowsUnsigned ? [] : [OverridableFlag(flag: "local-access-key")])
          + (settings.webRoot == nil
            ? []
            : [
              OverridableFlag(flag: "web-lobby", value: "open"),
              OverridableFlag(flag: operatorKeyFlag, value: settings.operatorKeyFile),
            ])
      }),
  ]

  /// The name of the service's only instance.
  package var instance: String { "\(name)-a" }

  /// Returns the path of the service's executable.
  package func executable(in directory: String) -> String {
    "\(directory)/\(program)"
  }

  /// Returns the whole command line.
  ///
  /// A flag overrides the environment, so the installation omits a default flag if the environment
  /// sets this flag.
  package func arguments(
    in settings: InstallationSettings, environment: [String: String] = [:]
  ) -> [String] {
    ["--runtime-dir", settings.runtimeDirectory, "--instance", instance]
      + (settings.dataDirectory.map { ["--data-dir", $0] } ?? [])
      + ["--drain-seconds", "\(settings.drainSeconds)"] + flags(settings)
      + choices(settings)
      .filter { environment[ServiceFlag.variable(for: $0.flag)] == nil }.flatMap(\.words)
  }

  /// Returns the path of the Unix socket that reports readiness.
  func healthSocket(in settings: InstallationSettings) -> String {
    "\(settings.runtimeDirectory)/\(instance).http.sock"
  }
}
