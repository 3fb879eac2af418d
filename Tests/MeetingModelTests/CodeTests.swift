import MeetingModel
import Testing

@Suite struct CodeTests {
  @Test func `the status codes have the canonical numbers`() {
    #expect(StatusCode.allCases.map(\.rawValue) == Array(0...16))
    #expect(StatusCode.invalidArgument.rawValue == 3)
    #expect(StatusCode.failedPrecondition.rawValue == 9)
    #expect(StatusCode.internalError.rawValue == 13)
    #expect(StatusCode.unavailable.rawValue == 14)
    #expect(StatusCode.unauthenticated.rawValue == 16)
    #expect(StatusCode(rawValue: 17) == nil)
  }

  @Test func `the session status codes have the numbers of the facade`() {
    #expect(
      SessionStatusCode.allCases.map(\.rawValue) == [
        0, 9, 10, 12, 59, 60, 61, 62, 63, 64, 65, 69, 75, 78, 82, 83, 206,
      ])
    #expect(SessionStatusCode.audioCallAtCapacity.rawValue == 64)
    #expect(SessionStatusCode.audioCallEnded.rawValue == 75)
  }

  @Test func `the status reasons are numbered from 0 without a gap`() {
    #expect(StatusReason.allCases.map(\.rawValue) == Array(0...20))
    #expect(StatusReason.meetingLocked.rawValue == 20)
  }

  @Test func `volume, signal and attendee states have the raw values of the facade`() {
    #expect(VolumeLevel.allCases.map(\.rawValue) == [-1, 0, 1, 2, 3])
    #expect(SignalStrength.allCases.map(\.rawValue) == [0, 1, 2])
    #expect(AttendeeState.allCases.map(\.rawValue) == [1, 2, 3])
  }

  @Test func `the description of a status contains all parts of the status`() {
    let status = Status(
      .resourceExhausted, "Full at 250.", session: .audioCallAtCapacity, reason: .meetingFull)
    #expect(status.status == status)
    #expect("\(status)" == "resourceExhausted/64 (meetingFull): Full at 250.")
    #expect("\(Status.ok)" == "ok")
  }

  @Test func `the default limits match the guides`() {
    let limits = InstallationLimits()
    #expect(limits.maxAttendees == 250)
    #expect(limits.maxCameras == 25 && limits.maxReceivedVideos == 25)
    #expect(limits.maxContentShares == 2)
    #expect(limits.maxDataMessageBytes == 2048 && limits.maxKeptMessages == 1024)
    #expect(limits.maxMessageLifetime == .seconds(300))
    #expect(limits.dataMessageRate == RateLimit(perSecond: 100, burst: 200))
    #expect(limits.attendeeFloodRate == RateLimit(perSecond: 200, burst: 2_000))
    #expect(limits.meetingFloodRate == RateLimit(perSecond: 500, burst: 10_000))
    #expect(limits.idleMeeting == .seconds(300) && limits.maxMeeting == .seconds(86_400))
    #expect(limits.maxReplicas == 4)
  }
}
