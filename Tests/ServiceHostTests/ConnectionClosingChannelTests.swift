import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import ServiceHost

@Suite(.timeLimit(.minutes(5))) struct ConnectionClosingChannelTests {
  @Test func `a connection that is released before it is handled is closed`() async throws {
    let connections = ConnectionClosingChannel(
      HTTP1Channel { _, _, _ in Issue.record("It was handled.") })
    let loops = MultiThreadedEventLoopGroup.singleton
    let server = try await ServerBootstrap(group: loops)
      .childChannelInitializer { channel in
        connections.setup(channel: channel, logger: silent).map { _ in }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let address = try #require(server.localAddress)
    for _ in 0..<20 {
      let client = try await ClientBootstrap(group: loops).connect(to: address).get()
      try await client.closeFuture.get()
    }
    try await server.close()
  }
}
