internal import Bus
internal import CarillonClientCore
internal import Foundation
internal import LocalInstallation
internal import MeetingModel
internal import Output

extension Doctor {
  /// Checks the response of an instance at `/readyz`.
  func readiness(of instance: RegisteredInstance) async -> Finding {
    func finding(_ outcome: Finding.Outcome) -> Finding {
      Finding(.readiness, instance.instance, outcome)
    }
    do {
      let response = try await health(of: instance).send(
        HTTPRequest(.get, "/readyz"), within: .seconds(5))
      guard response.status != 200 else { return finding(.ok("ready")) }
      return finding(
        .failed(
          "not ready: \(Self.reasons(in: response.body) ?? response.text)",
          remedy:
            """
            run carillon doctor again after a few seconds; if it is still not ready, see the \
            findings about the named checks, and its log
            """
        ))
    } catch {
      return finding(
        .failed(
          error.status.message,
          remedy: process(of: instance).restart(instance.instance)))
    }
  }

  /// Returns the failing checks in a response of `/readyz`; `nil` if the response contains no
  /// failing check.
  static func reasons(in body: [UInt8]) -> String? {
    guard let answer = try? JSONDecoder().decode(ReadinessAnswer.self, from: Data(body)),
      let failing = answer.failing, !failing.isEmpty
    else { return nil }
    return failing.map { "\($0.check): \($0.reason)" }.joined(separator: "; ")
  }

  /// Checks that an instance has this command's version.
  func version(of instance: RegisteredInstance) async -> Finding {
    func finding(_ outcome: Finding.Outcome) -> Finding {
      Finding(.version, instance.instance, outcome)
    }
    guard
      let response = try? await health(of: instance).send(
        HTTPRequest(.get, "/metrics"), within: .seconds(5)),
      let version = Self.version(inMetrics: response.text)
    else {
      return finding(.skipped("its metrics cannot be read; see the finding about its readiness"))
    }
    guard version != Versioning.sdkVersion() else { return finding(.ok(version)) }
    return finding(
      .failed(
        "its version is \(version), and this command's version is \(Versioning.sdkVersion())",
        remedy: "install all programs of one release and restart the services"))
  }

  /// Returns the version in `carillon_build_info{service="presence",version="0.1.0"} 1`.
  static func version(inMetrics text: String) -> String? {
    guard
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("carillon_build_info{") }),
      let label = line.firstRange(of: "version=\"")
    else { return nil }
    return String(line[label.upperBound...].prefix { $0 != "\"" })
  }

  func health(of instance: RegisteredInstance) -> HTTPClient {
    HTTPClient(.unixSocket(path: "\(directory)/\(instance.instance).http.sock"))
  }
}

private struct ReadinessAnswer: Decodable {
  struct Failure: Decodable {
    let check: String
    let reason: String
  }

  let failing: [Failure]?
}
