/// One service that `carillon up` runs: its name and the flags it is started with.
package struct ServiceDescription: Sendable {
  package let name: String

  /// Whether an installation may do without it, or have something else in its place.
  package let isOptional: Bool
  private let program: String
  private let flags: @Sendable (InstallationSettings) -> [String]

  /// - Parameter program: Name of its executable; `nil`: the service's own.
  package init(
    _ name: String, program: String? = nil, isOptional: Bool = false,
    flags: @escaping @Sendable (InstallationSettings) -> [String] = { _ in [] }
  ) {
    self.name = name
    self.isOptional = isOptional
    self.program = program ?? name
    self.flags = flags
  }

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
    ServiceDescription("gateway") { settings in
      ["--rest-port", "\(settings.restPort)"]
        + (settings.gatewayTCP.map { ["--listen-tcp", $0] } ?? [])
        + [settings.allowsUnsigned ? "--allow-unsigned" : "--local-access-key"]
        + (settings.webRoot.map { ["--web-root", $0, "--web-lobby", "open"] } ?? [])
    },
  ]

  /// The one instance of it.
  package var instance: String { "\(name)-a" }

  /// Where its executable is.
  package func executable(in directory: String) -> String {
    "\(directory)/\(program)"
  }

  /// Its whole command line.
  package func arguments(in settings: InstallationSettings) -> [String] {
    ["--runtime-dir", settings.runtimeDirectory, "--instance", instance]
      + (settings.dataDirectory.map { ["--data-dir", $0] } ?? [])
      + ["--drain-seconds", "\(settings.drainSeconds)"] + flags(settings)
  }

  /// The Unix socket on which it says whether it is ready.
  func healthSocket(in settings: InstallationSettings) -> String {
    "\(settings.runtimeDirectory)/\(instance).http.sock"
  }
}
