import ClientTestSupport
import TestSupport
import Testing
import Trials
import ZeroMQ

@testable import CarillonClientCore

@Suite(.timeLimit(.minutes(5))) struct EndpointLocatorTests {
  private static func start(_ signalingUrl: String, gatewayUrl: String? = nil)
    -> SessionStartParameters
  {
    SessionStartParameters(
      meetingId: "m", attendeeId: "ada", externalUserId: "Ada", joinToken: "secret",
      signalingUrl: signalingUrl, audioHostUrl: "localhost", gatewayUrl: gatewayUrl,
      reconnectTimeoutMs: 1000)
  }

  @Test func `the rewriter gets the gateway address that the signalling host returned`()
    async throws
  {
    let host = try HTTPAnswer(json: #"{"GatewayUrl":"tcp://gateway.example:7400"}"#)
    defer { host.close() }
    let asked = AwaitableEntryList<String>()
    let endpoint = try await EndpointLocator.endpoint(
      for: Self.start("ws://127.0.0.1:\(host.port)/control/m"),
      urlRewriter: { url in
        asked.append(url)
        return "tcp://proxy.example:1"
      })
    #expect(endpoint == (try Endpoint("tcp://proxy.example:1")))
    #expect(asked.entries == ["tcp://gateway.example:7400"])
  }

  @Test func `a rewriter that returns no endpoint causes an error`() async throws {
    let host = try HTTPAnswer(json: #"{"GatewayUrl":"tcp://gateway.example:7400"}"#)
    defer { host.close() }
    await #expect(throws: ZeroMQError.self) {
      try await EndpointLocator.endpoint(
        for: Self.start("ws://127.0.0.1:\(host.port)/control/m"), urlRewriter: { _ in "nonsense" })
    }
  }

  @Test func `the rewriter is not applied again to a configured gateway address`() async throws {
    let endpoint = try await EndpointLocator.endpoint(
      for: Self.start("ws://signal.example", gatewayUrl: "tcp://gateway.example:7400"),
      urlRewriter: { _ in "tcp://elsewhere.example:1" })
    #expect(endpoint == (try Endpoint("tcp://gateway.example:7400")))
  }

  @Test func `an invalid address and an address without a gateway cause errors`() async throws {
    await #expect(throws: EndpointLocatorError.self) {
      try await EndpointLocator.endpoint(for: Self.start("gopher://x"), urlRewriter: { $0 })
    }
    let host = try HTTPAnswer(json: #"{"Other":1}"#)
    defer { host.close() }
    await #expect(throws: EndpointLocatorError.self) {
      try await EndpointLocator.endpoint(
        for: Self.start("ws://127.0.0.1:\(host.port)/control/m"), urlRewriter: { $0 })
    }
  }
}
