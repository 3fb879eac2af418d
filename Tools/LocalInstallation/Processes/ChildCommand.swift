/// A program to run as a child process.
package struct ChildCommand: Hashable, Sendable {
  /// The path of the program, or the name of a program that `PATH` finds.
  package var executable: String
  /// The arguments without the program's name.
  package var arguments: [String]
  /// The whole environment of the child. The child inherits no variable of this process.
  package var environment: [String: String]

  package init(_ executable: String, _ arguments: [String] = [], environment: [String: String]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }
}
