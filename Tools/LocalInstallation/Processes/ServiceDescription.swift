/// One service that `carillon up` runs: its name and the flags it is started with.
package struct ServiceDescription: Sendable {
  package let name: String

  /// Whether an installation may do without it, or have something else in its place.
  package let isOptional: Bool
  private let program: String
  private let flags: @Sendable (InstallationSettings) -> [String]
  private let choices: @Sendable (InstallationSettings) -> [Choice]

  /// A flag that nobody asked for: the environment may say otherwise.
  package struct Choice: Sendable {
    /// The long name without its dashes.
    let flag: String
    var value: String?

    var words: [String] { ["--\(flag)"] + (value.map { [$0] } ?? []) }
  }

  /// - Parameters:
  ///   - program: Name of its executable; `nil`: the service's own.
  ///   - flags: What the settings say.
  ///   - choices: What is chosen where the service's environment says nothing.
  package init(
    _ name: String, program: String? = nil, isOptional: Bool = false,
    flags: @escaping @Sendable (InstallationSettings) -> [String] = { _ in [] },
    choices: @escaping @Sendable (InstallationSettings) -> [Choice] = { _ in [] }
  ) {
    self.name = name
    self.isOptional = isOptional
    self.program = program ?? name
    self.flags = flags
    self.choices = choices
  }

  /// The gateway's flag that names the file with the key of the operator's page.
  package static let operatorKeyFlag = "web-operator-key-file"

  /// Every service there is; later ones depend on earlier ones and stop before them.
  package static let all = [
    ServiceDescription("presence") { settings in
      settings.seats.map { ["--max-attendees", "\($0)"] } ?? []
    },
    ServiceDescription("messaging"),
    ServiceDescription("video-tiles"),
    ServiceDescription("media") { settings in
      settings.mediaTCP.map { ["--listen-tcp", $0] } ?? []
    },
    ServiceDescription("transcription"),
    ServiceDescription("pocketsphinx", program: "carillon-pocketsphinx", isOptional: true),
    ServiceDescription(
      "gateway",
      flags: { settings in
        ["--rest-port", "\(settings.restPort)"]
          + (settings.gatewayTCP.map { ["--listen-tcp", $0] } ?? [])
          + (settings.allowsUnsigned ? ["--allow-unsigned"] : [])
          + (settings.webRoot.map { ["--web-root", $0] } ?? [])
      },
      choices: { settings in
        (settings.allowsUnsigned ? [] : [Choice(flag: "local-access-key")])
          + (settings.webRoot == nil
            ? []
            : [
              Choice(flag: "web-lobby", value: "open"),
              Choice(flag: operatorKeyFlag, value: settings.operatorKeyFile),
            ])
      }),
  ]

  /// The one instance of it.
  package var instance: String { "\(name)-a" }

  /// Where its executable is.
  package func executable(in directory: String) -> String {
    "\(directory)/\(program)"
  }

  /// Its whole command line. A flag would win over the service's environment, so that what is
  /// chosen here is left out where the environment has it.
  package func arguments(
    in settings: InstallationSettings, environment: [String: String] = [:]
  ) -> [String] {
    ["--runtime-dir", settings.runtimeDirectory, "--instance", instance]
      + (settings.dataDirectory.map { ["--data-dir", $0] } ?? [])
      + ["--drain-seconds", "\(settings.drainSeconds)"] + flags(settings)
      + choices(settings)
      .filter { environment[ServiceFlag.variable(for: $0.flag)] == nil }.flatMap(\.words)
  }

  /// The Unix socket on which it says whether it is ready.
  func healthSocket(in settings: InstallationSettings) -> String {
    "\(settings.runtimeDirectory)/\(instance).http.sock"
  }
}
