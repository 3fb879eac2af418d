import Testing

@testable import CarillonClientCore

struct AudioSessionMachineTests {
  static let statuses = (0...300).compactMap(MeetingSessionStatusCode.init(rawValue:))

  /// The expected callbacks for each current action and each connection state. A status from the
  /// server causes callbacks that are not in this table.
  static let rows: [(current: AudioSessionMachine.Action, state: ConnectionState, says: String)] = [
    (.connecting, .connected, "started"),
    (.connecting, .disconnectedAbnormally, "failed"),
    (.connecting, .serverHungUp, "failed"),
    (.connecting, .failedToConnect, "failed"),
    (.finishConnecting, .reconnecting, "dropped"),
    (.finishConnecting, .disconnectedAbnormally, "failed"),
    (.finishConnecting, .serverHungUp, "failed"),
    (.finishConnecting, .failedToConnect, "failed"),
    (.reconnecting, .connected, "restarted"),
    (.reconnecting, .disconnectedNormally, "cancelled"),
    (.reconnecting, .disconnectedAbnormally, "cancelled failed"),
    (.reconnecting, .serverHungUp, "cancelled failed"),
    (.reconnecting, .failedToConnect, "cancelled failed"),
  ]

  static func expected(
    _ current: AudioSessionMachine.Action, _ state: ConnectionState,
    _ status: MeetingSessionStatusCode
  ) -> [AudioSessionMachine.Outcome] {
    if status == .audioServerHungup || status == .audioJoinedFromAnotherDevice {
      switch current {
      case .connecting, .finishConnecting: return [.ended(status)]
      case .reconnecting: return [.reconnectCancelled, .ended(status)]
      case .initialize, .disconnecting, .finishDisconnecting, .fail: return []
      }
    }
    if current == .finishConnecting, state == .connected {
      return status == .networkBecomePoor ? [.becamePoor] : []
    }
    let row = rows.first { $0.current == current && $0.state == state }
    return (row?.says ?? "").split(separator: " ").compactMap { word in
      switch word {
      case "started": .started
      case "dropped": .dropped
      case "restarted": .restarted
      case "cancelled": .reconnectCancelled
      default: .failed(status)
      }
    }
  }

  @Test(arguments: AudioSessionMachine.Action.allCases, ConnectionState.allCases)
  func `each combination of action and connection state has its expected outcomes`(
    current: AudioSessionMachine.Action, state: ConnectionState
  ) {
    #expect(Self.statuses.count == 17)
    for status in Self.statuses {
      var machine = AudioSessionMachine(action: current, status: .ok)
      let outcomes = machine.receive(state, status: status)
      #expect(outcomes == Self.expected(current, state, status), "\(status)")
      #expect(machine.status == status)
      #expect(machine.receive(state, status: status).isEmpty, "A repetition of \(status)")
    }
  }

  @Test(arguments: statuses, statuses)
  func `the network's health changes only between ok and poor`(
    before: MeetingSessionStatusCode, after: MeetingSessionStatusCode
  ) {
    var machine = AudioSessionMachine(action: .finishConnecting, status: before)
    let outcomes = machine.receive(.connected, status: after)
    switch (before, after) {
    case (.ok, .networkBecomePoor): #expect(outcomes == [.becamePoor])
    case (.networkBecomePoor, .ok): #expect(outcomes == [.recovered])
    case (_, .audioServerHungup), (_, .audioJoinedFromAnotherDevice):
      #expect(outcomes == [.ended(after)])
    default: #expect(outcomes.isEmpty)
    }
  }

  @Test func `a session that connects again is reported as started if it never dropped`() {
    var machine = AudioSessionMachine(action: .finishConnecting)
    #expect(machine.receive(.connecting, status: .ok).isEmpty)
    #expect(machine.receive(.connected, status: .ok) == [.started])
  }

  @Test func `a recovery of the network during a reconnect is not reported`() {
    var machine = AudioSessionMachine(action: .finishConnecting, status: .networkBecomePoor)
    #expect(machine.receive(.reconnecting, status: .networkBecomePoor) == [.dropped])
    #expect(machine.receive(.connected, status: .ok) == [.restarted])
  }

  @Test
  func `a connection without a preceding connection attempt is not reported as a started session`()
  {
    var machine = AudioSessionMachine()
    #expect(machine.receive(.connected, status: .ok).isEmpty)
  }
}
