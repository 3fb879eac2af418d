import Testing

@testable import Bus
@testable import ZeroMQ

struct IdleConnectionsTests {
  private let connection = Connection(descriptor: 7)
  private let now = ContinuousClock.now
  private var idle = IdleConnections(limit: .seconds(10), at: [])

  private var accepted: MonitorEvent { .accepted(endpoint: "", connection: connection) }
  private var disconnected: MonitorEvent { .disconnected(endpoint: "", connection: connection) }

  @Test mutating func `a connection is watched until it is exempt`() {
    idle.observe(accepted, at: now)
    #expect(!idle.isEmpty)
    idle.exempt(connection)
    #expect(idle.isEmpty)
  }

  @Test mutating func `a connection may be exempt before its acceptance is read`() {
    idle.exempt(connection)
    idle.observe(accepted, at: now)
    #expect(idle.isEmpty)
  }

  @Test mutating func `the next connection of the same number is watched`() {
    idle.exempt(connection)
    idle.observe(accepted, at: now)
    idle.observe(disconnected, at: now)
    idle.observe(accepted, at: now)
    #expect(!idle.isEmpty)
  }

  @Test mutating func `what was exempt twice does not outlive its connection`() {
    idle.observe(accepted, at: now)
    idle.exempt(connection)
    idle.exempt(connection)
    idle.observe(disconnected, at: now)
    idle.observe(accepted, at: now)
    #expect(!idle.isEmpty)
  }
}
