import MeetingModel
import Testing

@testable import CarillonClientCore

@Suite struct SessionEndTests {
  @Test(
    arguments: [
      (SessionStatusCode.audioServerHungup, ConnectionState.serverHungUp, .audioServerHungup),
      (.audioJoinedFromAnotherDevice, .disconnectedNormally, .audioJoinedFromAnotherDevice),
      (.audioCallAtCapacity, .failedToConnect, .audioCallAtCapacity),
      (.audioCallEnded, .failedToConnect, .audioCallEnded),
      (nil, .disconnectedAbnormally, .audioInternalServerError),
    ] as [(SessionStatusCode?, ConnectionState, MeetingSessionStatusCode)])
  func `the gateway's status determines the state and status at a session's end`(
    code: SessionStatusCode?, state: ConnectionState, status: MeetingSessionStatusCode
  ) {
    let end = SessionEnd(Status(.failedPrecondition, "It is over.", session: code))
    #expect((end.state, end.status) == (state, status))
  }

  @Test func `if a session gives up connecting, the final state is failedToConnect`() {
    #expect(SessionEnd.givenUp.state == .failedToConnect)
    #expect(SessionEnd.givenUp.status == .audioServiceUnavailable)
  }
}
