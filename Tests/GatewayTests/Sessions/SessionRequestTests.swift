import Bus
import MeetingModel
import Storage
import Testing
import Wire

@testable import Gateway

@Suite struct SessionRequestTests {
  private let start = V1.StartRequest(
    meetingID: MeetingID.random().text, attendeeID: AttendeeID.random().text, joinToken: "token")

  private func refusal(_ change: (inout V1.StartRequest) -> Void) -> Status? {
    var start = start
    change(&start)
    do throws(Status) {
      _ = try SessionRequest(start, traceparent: "")
      return nil
    } catch {
      return error
    }
  }

  @Test func `a Start request is converted to a session request of the gateway`() throws {
    var start = start
    start.attendeeID += "#content"
    start.sessionID = SessionID.random().bytes
    start.isMuted = true
    start.features = [TranscriptPreferences.messagesFeature]
    start.audioSendSSRC = 7
    start.positions = [
      V1.StreamPosition(stream: MeetingStream.roster.name, epoch: 3, sequence: 4),
      V1.StreamPosition(stream: "of a later version", epoch: 1, sequence: 1),
    ]
    let request = try SessionRequest(start, traceparent: "trace")
    #expect(request.meeting.text == start.meetingID)
    #expect(request.participant.isContent)
    #expect(request.credentials.token == JoinToken("token"))
    #expect(request.resumed?.bytes == start.sessionID)
    #expect(request.named == nil)
    #expect(request.isMuted && !request.isMuteUnknown)
    #expect(request.transcripts.asMessages)
    #expect(request.media.sendSSRC == 7)
    #expect(request.positions == [.roster: StreamCursor(epoch: 3, sequence: 4)])
    #expect(request.traceparent == "trace")
  }

  @Test func `all impossible credentials get the same refusal`() {
    #expect(refusal { _ in } == nil)
    #expect(refusal { $0.meetingID = "none" } == SessionCredentials.refused)
    #expect(refusal { $0.attendeeID = "none" } == SessionCredentials.refused)
    #expect(
      refusal { $0.joinToken = String(repeating: "t", count: 2_049) } == SessionCredentials.refused)
  }

  @Test func `a malformed session id and too many positions are invalid`() {
    #expect(refusal { $0.sessionID = [1] }?.reason == .malformed)
    let position = V1.StreamPosition(stream: "roster", epoch: 1, sequence: 1)
    #expect(refusal { $0.positions = .init(repeating: position, count: 16) } == nil)
    #expect(
      refusal { $0.positions = .init(repeating: position, count: 17) }?.code == .invalidArgument)
  }
}
