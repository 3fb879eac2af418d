/// What the demo plays with, whatever services it plays on.
struct DemoStage: Sendable {
  let folder: DemoFolder
  let spawner: ProcessSpawner
  /// The environment of the processes it starts.
  let environment: [String: String]
  /// The Python interpreter that has the client.
  let python: String
}
