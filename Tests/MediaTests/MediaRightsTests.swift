import MeetingModel
import Testing

@testable import Media

@Suite struct MediaRightsTests {
  private let all = MediaRights(capabilities: .all, isContent: false)

  @Test func `an attendee with all rights is heard, hears and is seen`() {
    #expect(all.mayBeHeard && all.mayHear && all.maySendVideo)
  }

  @Test func `an attendee who is muted or belongs to a replica is not heard but still hears`() {
    for part in [\MediaRights.isMuted, \.isMutedByOperator, \.isReplica] {
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
    let rights = MediaRights(
      capabilities: try AttendeeCapabilities(audio: .receive, video: .send, content: .none),
      isContent: false)
    #expect(!rights.mayBeHeard && rights.mayHear && rights.maySendVideo)
  }

  @Test func `the content capability controls a content share's video and sound`() throws {
    let allowed = MediaRights(
      capabilities: try AttendeeCapabilities(audio: .receive, video: .receive, content: .send),
      isContent: true)
    #expect(allowed.mayBeHeard && !allowed.mayHear && allowed.maySendVideo)
    let forbidden = MediaRights(
      capabilities: try AttendeeCapabilities(
        audio: .sendReceive, video: .sendReceive, content: .none),
      isContent: true)
    #expect(!forbidden.mayBeHeard && !forbidden.maySendVideo)
  }
}
