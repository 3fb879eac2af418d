import Foundation
import TestSupport
import Testing

@testable import CLI
@testable import LocalInstallation
@testable import Output

/// Tests of the doctor with real services. A test breaks the services in several ways, one after
/// another.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DoctorProcessTests {
  private func failures(_ installation: TestSupport.Installation) async -> [String: Finding] {
    let doctor = Doctor(directory: "\(installation.directory)/run")
    var failed: [String: Finding] = [:]
    await doctor.examine { finding in
      if finding.isFailed { failed["\(finding.check.rawValue) \(finding.subject)"] = finding }
    }
    return failed
  }

  private func text(_ finding: Finding?) -> String { finding?.text(.plain) ?? "none" }

  @Test func `a healthy installation has no failures until its files change`()
    async throws
  {
    try await TestSupport.Installation.run { installation in
      #expect(await failures(installation).isEmpty)
      let key = "\(installation.directory)/data/token.key"
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
      #expect(text(await failures(installation)["token-key \(key)"]).contains("chmod 0600"))
      try FileManager.default.removeItem(atPath: key)
      #expect(text(await failures(installation)["token-key \(key)"]).contains("backup"))
      let socket = installation.gateway.path("operator")
      try FileManager.default.removeItem(atPath: socket)
      let failed = await failures(installation)
      #expect(
        text(failed["endpoint gateway-a operator ipc://\(socket)"]).contains("restart gateway-a"))
      #expect(failed["round-trip gateway-a"] != nil)
      let store = "\(installation.directory)/data/meetings.sqlite"
      try FileManager.default.removeItem(atPath: store)
      #expect(text(await failures(installation)["store \(store)"]).contains("deleted"))
    }
  }

  @Test func `carillon doctor lists dead processes and the failures that they cause`()
    async throws
  {
    try await TestSupport.Installation.run { installation in
      try await installation.presence.kill()
      var failed = await failures(installation)
      #expect(text(failed["service presence-a"]).contains("died"))
      #expect(failed["round-trip gateway-a"] != nil)
      try await installation.gateway.process.kill()
      failed = await failures(installation)
      #expect(failed.keys.sorted() == ["service gateway-a", "service presence-a"])
    }
  }

  @Test
  func `stopped services leave no socket files, so carillon doctor reports no faulty socket`()
    async throws
  {
    try await TestSupport.Installation.run { installation in
      let services = [
        installation.gateway.process, installation.transcription, installation.videoTiles,
        installation.messaging, installation.media, installation.presence,
      ]
      for service in services { _ = try await service.terminate() }
      let files = try FileManager.default.contentsOfDirectory(
        atPath: "\(installation.directory)/run")
      #expect(files.filter { $0.hasSuffix(".sock") }.isEmpty)
      #expect(await failures(installation).keys.filter { $0.hasPrefix("socket ") }.isEmpty)
    }
  }
}
