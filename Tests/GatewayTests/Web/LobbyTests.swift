import Foundation
import ServiceHost
import TestSupport
import Testing

@testable import Gateway

@Suite struct LobbyTests {
  private struct Others: RequestAuthenticator {
    func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
      throw RESTError(.missingAuthenticationToken, "Sign it.")
    }
  }

  private func isLetIn(
    _ lobby: MeetingStartPolicy, _ headers: [String: String], path: String = "/carillon/v1/web/join"
  ) async -> Bool {
    let request = RESTRequest(
      method: "POST", target: path, headers: headers.map { .init(name: $0, value: $1) })
    return (try? await LobbyAuthenticator(lobby: lobby, others: Others()).authenticate(request))
      == .visitor(.host)
  }

  @Test func `an open lobby admits the page of its own host and no other page`() async {
    let host = ["Host": "localhost:8080"]
    #expect(await isLetIn(.open, host))
    #expect(await isLetIn(.open, ["Host": "[::1]:8080"]))
    let own = ["Origin": "http://localhost:8080", "Sec-Fetch-Site": "same-origin"]
    #expect(await isLetIn(.open, host.merging(own) { $1 }))
    #expect(await !isLetIn(.open, host.merging(["Origin": "http://evil.example"]) { $1 }))
    #expect(await !isLetIn(.open, host.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }))
    // This foreign name resolves to this machine.
    #expect(await !isLetIn(.open, ["Host": "evil.example:8080"]))
    #expect(await !isLetIn(.open, [:]))
    #expect(await !isLetIn(.open, host, path: "/meetings"))
  }

  @Test(arguments: ["--web-lobby-key-file", "--web-operator-key-file"])
  func `the error for an unusable key file names the flag that sets the file`(flag: String)
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/key"
      let faults: [(text: String, mode: Int, problem: String)] = [
        ("a key that everybody may read\n", 0o644, "\(flag) \(path) cannot be used: Everybody"),
        ("short\n", 0o600, "The key in \(flag) \(path) must have 16-1024 bytes."),
      ]
      for fault in faults {
        try fault.text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
          [.posixPermissions: fault.mode], ofItemAtPath: path)
        let error = #expect(throws: HostError.self) { try WebLobbyMode.key(in: path, of: flag) }
        #expect(error?.description.hasPrefix(fault.problem) == true, "\(error as Any)")
      }
    }
  }

  @Test func `a lobby with a key admits requests with that key`() async {
    let lobby = MeetingStartPolicy.key(Array("a key of sixteen".utf8))
    #expect(await isLetIn(lobby, ["Authorization": "Bearer a key of sixteen"]))
    #expect(await !isLetIn(lobby, ["Authorization": "Bearer another"]))
    #expect(await !isLetIn(lobby, ["Host": "localhost"]))
    #expect(await !isLetIn(.closed, ["Authorization": "Bearer a key of sixteen"]))
  }
}
