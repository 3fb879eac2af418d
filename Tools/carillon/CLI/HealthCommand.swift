internal import ArgumentParser
internal import Bus
internal import Foundation
internal import LocalInstallation
internal import MeetingModel
internal import Output

/// The command `carillon health`.
struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Checks whether the services on this machine are ready.",
    discussion: """
      This command serves the health checks of containers and service managers, and needs no \
      gateway. Exit status 0 if all instances are ready, 69 if one does not answer, else 1.
      """)

  /// The environment variable for `--instance`. The services use the same variable.
  private static let variable = "CARILLON_INSTANCE"

  @Option(
    help: ArgumentHelp(
      "Check this instance, such as presence-a; may be repeated.",
      discussion: "Default: $CARILLON_INSTANCE, else all instances of the runtime directory."))
  var instance: [String] = []
  @Option(help: "Seconds that an instance may take to answer, 1-60.")
  var timeoutSeconds = 3
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...60).contains(timeoutSeconds) else {
      throw ValidationError("--timeout-seconds must be 1-60; got \(timeoutSeconds).")
    }
    for name in instance where name.isEmpty || name.contains("/") {
      throw ValidationError(
        "--instance must be the name of an instance, without a slash; got \(name).")
    }
  }

  func run() async throws {
    try await output.reportingFailure {
      let places = runtime.places
      guard let sockets = HealthSockets(inFirstOf: places) else {
        throw HealthSockets.noService(in: places)
      }
      var answers: [Answer] = []
      for name in names(sockets) { answers.append(await ask(name, sockets)) }
      output.print(answers.map(\.record))
      if let failure = Answer.failure(of: answers) { throw failure }
    }
  }

  /// Returns the instances to query: the instances in the flag or in the variable, or all instances
  /// if neither is set.
  private func names(_ sockets: HealthSockets) -> [String] {
    guard instance.isEmpty else { return instance }
    let variable = ProcessInfo.processInfo.environment[Self.variable] ?? ""
    guard variable != InstanceNameGenerator.word else { return ownContainers(sockets) }
    return variable.isEmpty ? sockets.instances : [variable]
  }

  /// Returns the instance that is the first process of this process's container.
  private func ownContainers(_ sockets: HealthSockets) -> [String] {
    let suffix = InstanceNameGenerator.suffix(of: 1) ?? ""
    let names = sockets.instances.filter { $0.hasSuffix("-\(suffix)") }
    // If no name has this suffix, the instance has not created its socket yet.
    return names.isEmpty ? ["\(InstanceNameGenerator.word)-\(suffix)"] : names
  }

  private func ask(_ name: String, _ sockets: HealthSockets) async -> Answer {
    do {
      let response = try await sockets.get(
        "/readyz", of: name, within: .seconds(timeoutSeconds))
      return Answer(
        instance: name, state: response.status == 200 ? .ready : .notReady(response.text))
    } catch {
      return Answer(instance: name, state: .silent(error.status.message))
    }
  }
}

extension HealthCommand {
  /// The result of asking one instance.
  struct Answer: Hashable {
    enum State: Hashable {
      case ready
      /// The instance runs, but must not receive requests. The associated value is the text of
      /// `/readyz`.
      case notReady(String)
      /// The instance does not answer. The associated value is the reason.
      case silent(String)
    }

    let instance: String
    let state: State

    var record: OutputRecord {
      switch state {
      case .ready: ["instance": .text(instance), "ready": true]
      case .notReady(let reason), .silent(let reason):
        ["instance": .text(instance), "ready": false, "reason": .text(reason)]
      }
    }

    /// Returns the command's error; `nil` if all instances are ready. If one instance does not
    /// answer and another instance is not ready, the error is about the instance that does not
    /// answer.
    static func failure(of answers: [Answer]) -> CommandFailure? {
      let failures = answers.compactMap(\.failure)
      return failures.first { $0.exit == .unavailable } ?? failures.first
    }

    /// The command's error because of this instance; `nil` if the instance is ready.
    var failure: CommandFailure? {
      switch state {
      case .ready: nil
      case .notReady(let reason): .precondition("\(instance) is not ready: \(reason)")
      case .silent(let reason):
        .unavailable("\(instance) does not answer: \(reason) Is it running?")
      }
    }
  }
}
