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
  func `a session ends as the gateway's status says`(
    code: SessionStatusCode?, state: ConnectionState, status: MeetingSessionStatusCode
  ) {
    let end = SessionEnd(Status(.failedPrecondition, "It is over.", session: code))
    #expect((end.state, end.status) == (state, status))
  }

  @Test func `a session that is given up has failed to connect`() {
    #expect(SessionEnd.givenUp.state == .failedToConnect)
    #expect(SessionEnd.givenUp.status == .audioServiceUnavailable)
  }
}
