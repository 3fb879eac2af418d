import Logging
import ServiceHost

/// Returns a host that discards its logs.
func exampleHost(runtimeDirectory: String, dataDirectory: String) -> Host {
  Host(
    service: "presence", instance: "presence-a", runtimeDirectory: runtimeDirectory,
    dataDirectory: dataDirectory, logger: silent)
}

let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
