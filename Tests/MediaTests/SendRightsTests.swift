import MeetingModel
import Testing

@testable import Media

@Suite struct SendRightsTests {
  private let all = SendRights(capabilities: .all, isContent: false)

  @Test func `an attendee with all rights is heard, hears and is seen`() {
    #expect(all.mayBeHeard && all.mayHear && all.maySendVideo)
  }

  @Test func `an attendee who is muted or belongs to a replica is not heard but still hears`() {
    for part in [\SendRights.isMuted, \.isMutedByOperator, \.isReplica] {
      var rights = all
      rights[keyPath: part] = true
      #expect(!rights.mayBeHeard)
      #expect(rights.mayHear)
    }
  }

  @Test func `a replica cannot send video`() {
    var rights = all
    rights.isReplica = true
    #expect(!rights.maySendVideo)
  }

  @Test func `each capability restricts only its own medium`() throws {
    let rights = SendRights(
      capabilities: try AttendeeCapabilities(audio: .receive, video: .send, content: .none),
      isContent: false)
    #expect(!rights.mayBeHeard && rights.mayHear && rights.maySendVideo)
  }

  @Test func `a content share has no audio, and the content capability controls its video`() throws
  {
    let allowed = SendRights(
      capabilities: try AttendeeCapabilities(audio: .sendReceive, video: .receive, content: .send),
      isContent: true)
    #expect(!allowed.mayBeHeard && !allowed.mayHear && allowed.maySendVideo)
    let forbidden = SendRights(
      capabilities: try AttendeeCapabilities(
        audio: .sendReceive, video: .sendReceive, content: .none),
      isContent: true)
    #expect(!forbidden.maySendVideo)
  }
}
