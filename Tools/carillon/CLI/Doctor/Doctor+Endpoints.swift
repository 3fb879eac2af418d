internal import Bus
internal import Foundation
internal import LocalInstallation

extension Doctor {
  /// Checks that every registered endpoint of an instance exists and answers.
  func endpoints(of instance: RegisteredInstance) async -> [Finding] {
    var findings: [Finding] = []
    for (purpose, endpoint) in instance.endpoints.sorted(by: { $0.key < $1.key }) {
      findings.append(
        Finding(
          .endpoint, "\(instance.instance) \(purpose) \(endpoint)",
          await outcome(of: endpoint, instance)))
    }
    return findings
  }

  private func outcome(
    of endpoint: String, _ instance: RegisteredInstance
  ) async -> Finding.Outcome {
    guard let address = Self.address(of: endpoint) else {
      return .skipped("it cannot be reached from here")
    }
    if case .unixSocket(let path) = address, FileAttributes(at: path)?.kind != .socket {
      return .failed(
        "its socket file does not exist any more",
        remedy:
          "restart \(instance.instance), and find out which program deletes files in \(directory)")
    }
    let probe =
      endpoint.hasPrefix("http://")
      ? await ServerProbe.answer(of: address, within: .seconds(2))
      : await ServerProbe.greeting(of: address, within: .seconds(2))
    switch probe {
    case .served: return .ok("served")
    case .silent:
      return .failed(
        "it accepts connections, but does not answer",
        remedy: "\(process(of: instance).name) hangs: read its log, and restart it")
    case .refused(let reason):
      return .failed(
        "no process listens (\(reason))",
        remedy: "restart \(instance.instance): another process took its socket or removed it")
    }
  }

  /// Returns the address at which this machine can reach an endpoint; `nil` for an unknown kind of
  /// endpoint.
  static func address(of endpoint: String) -> HTTPAddress? {
    if endpoint.hasPrefix("ipc://") {
      return .unixSocket(path: String(endpoint.dropFirst("ipc://".count)))
    }
    guard let scheme = ["tcp://", "http://"].first(where: { endpoint.hasPrefix($0) }),
      case .tcp(let host, let port) = HTTPAddress(url: "http://" + endpoint.dropFirst(scheme.count))
    else { return nil }
    return .tcp(host: ["*", "0.0.0.0"].contains(host) ? "127.0.0.1" : host, port: port)
  }

  /// Checks those sockets in the directory that do not belong to any registered instance.
  ///
  /// If no process listens on such a socket, a process that has died has left the socket behind.
  func unclaimedEndpoints(beside instances: [RegisteredInstance]) async -> [Finding] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    var findings: [Finding] = []
    for name in names.sorted() where name.hasSuffix(".sock") {
      guard !instances.contains(where: { name.hasPrefix("\($0.instance).") }) else { continue }
      let path = "\(directory)/\(name)"
      guard await !ServerProbe.isListening(at: path) else {
        findings.append(Finding(.socket, path, .ok("served by a process that is not registered")))
        continue
      }
      findings.append(
        Finding(
          .socket, path,
          .failed("no process listens: a dead process left the socket behind", remedy: "rm \(path)")
        ))
    }
    return findings
  }
}
