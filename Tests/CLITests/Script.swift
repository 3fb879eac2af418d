import Testing

@testable import CLI

/// Shell scripts that stand for services.
enum Script {
  /// Writes an executable script.
  ///
  /// Another process writes it. A file that is open for writing cannot be executed, and whatever
  /// this process has open any child has too, from its start to its exec.
  static func write(_ body: String, to path: String, by spawner: ProcessSpawner) async throws {
    let writer = try await spawner.start(
      ChildCommand(
        "/bin/sh",
        ["-c", #"printf '%s\n' '#!/bin/sh' "$1" > "$2" && chmod 700 "$2""#, "sh", body, path],
        environment: ["PATH": "/usr/bin:/bin"])
    ) { _ in }
    try #require(await writer.exit == .status(0))
  }
}
