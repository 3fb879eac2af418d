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

  @Test mutating func `a connection that stays of no use is ended`() {
    idle.observe(accepted, at: now)
    for second in 1...10 {
      _ = idle.hangUp(at: now + .seconds(second))
      #expect(!idle.isEmpty)
    }
    _ = idle.hangUp(at: now + .seconds(11))
    #expect(idle.isEmpty)
  }

  @Test mutating func `nobody was idle while this process stood still`() {
    idle.observe(accepted, at: now)
    for second in 1...5 { _ = idle.hangUp(at: now + .seconds(second)) }
    let awake = now + .seconds(3_600)
    // What waits in the sockets has not been read yet, and it may be of use.
    for second in 0...5 {
      _ = idle.hangUp(at: awake + .seconds(second))
      #expect(!idle.isEmpty)
    }
    _ = idle.hangUp(at: awake + .seconds(6))
    #expect(idle.isEmpty)
  }

  @Test mutating func `time without any connection is no standstill`() {
    idle.observe(accepted, at: now)
    idle.observe(disconnected, at: now)
    let later = now + .seconds(3_600)
    idle.observe(accepted, at: later)
    for second in 1...10 { _ = idle.hangUp(at: later + .seconds(second)) }
    #expect(!idle.isEmpty)
    _ = idle.hangUp(at: later + .seconds(11))
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
