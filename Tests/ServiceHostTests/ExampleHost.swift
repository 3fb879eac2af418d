import Logging
import ServiceHost

/// A host whose logs go nowhere.
func exampleHost(runtimeDirectory: String, dataDirectory: String) -> Host {
  Host(
    service: "presence", instance: "presence-a", runtimeDirectory: runtimeDirectory,
    dataDirectory: dataDirectory, logger: silent)
}

let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
