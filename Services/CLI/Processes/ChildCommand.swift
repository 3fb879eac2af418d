/// A program to run as a child process.
struct ChildCommand: Hashable, Sendable {
  /// Path of the program, or its name in `PATH`.
  var executable: String
  /// Without the program's name.
  var arguments: [String]
  /// The whole environment; nothing of ours is added.
  var environment: [String: String]

  init(_ executable: String, _ arguments: [String] = [], environment: [String: String]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }
}
