import Bus
import Foundation
import MeetingModel
import Storage
import Testing
import Wire

@testable import Gateway

/// Tests that the gateway reads browsers' join requests correctly.
@Suite struct BrowserRequestTests {
  private let meeting = MeetingID.random()
  private let attendee = AttendeeID.random()
  private let former = ResumeState(
    positions: [.messages: StreamCursor(epoch: 5, sequence: 6)], isMuted: true,
    isMuteUnknown: false, isMutedByHost: true)

  /// Returns a handshake whose token names ``attendee``.
  private func handshake(_ path: String? = nil, token: String? = nil) throws
    -> WebSocketUpgradeRequest
  {
    let bytes = Data(attendee.guid.bytes + [UInt8](repeating: 1, count: 32))
    let text = bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    return try WebSocketUpgradeRequest(
      target: "/control/\(path ?? meeting.text)",
      headers: [("Sec-WebSocket-Protocol", "_aws_wt_session, \(token ?? String(text.prefix(64)))")],
      origins: OriginPolicy([]))
  }

  private func wish(_ number: UInt64?, at place: String? = nil) throws -> BrowserJoin {
    var join = Signaling.SdkJoinFrame(protocolVersion: 2)
    join.audioSessionID = number
    if let place { join.positions = [.init(stream: MeetingStream.messages.name, place: place)] }
    return try #require(BrowserJoin(join))
  }

  @Test func `the token names the participant, and the path names the meeting`() throws {
    let request = try SessionRequest(handshake(), nil) { _ in former }
    #expect(request.meeting == meeting)
    #expect(request.participant == ParticipantID(attendee))
    #expect(request.transcripts.asMessages)
    #expect(request.named == nil && request.resumed == nil)
    #expect(request.isMuteUnknown && !request.isMuted && request.positions.isEmpty)
  }

  @Test func `a request without a meeting or a participant is refused`() throws {
    for handshake in [try handshake("none"), try handshake(token: "short")] {
      #expect(throws: SessionCredentials.refused) {
        try SessionRequest(handshake, nil) { _ in nil }
      }
    }
  }

  @Test func `a new client's session gets a name by which the client can resume the session`()
    throws
  {
    let request = try SessionRequest(handshake(), wish(1)) { _ in nil }
    #expect(request.named == (try handshake().token.session(numbered: 1)))
    #expect(request.resumed == nil)
    #expect(request.isMuteUnknown)
  }

  @Test func `a returning client resumes with its former mute state and position`() throws {
    let request = try SessionRequest(handshake(), wish(1)) { _ in former }
    #expect(request.resumed != nil && request.resumed == request.named)
    #expect(request.isMuted && !request.isMuteUnknown && request.isMutedByHost)
    #expect(request.positions == former.positions)
  }

  @Test func `a position that the client names overrides the position that the gateway remembers`()
    throws
  {
    for known in [former, nil] {
      let request = try SessionRequest(handshake(), wish(1, at: "7-8")) { _ in known }
      #expect(request.resumed != nil)
      #expect(request.positions == [.messages: StreamCursor(epoch: 7, sequence: 8)])
    }
  }

  @Test func `a request without a session number resumes no session`() throws {
    let request = try SessionRequest(handshake(), wish(nil, at: "7-8")) { _ in former }
    #expect(request.named == nil && request.resumed == nil && request.positions.isEmpty)
  }
}
