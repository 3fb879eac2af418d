import MeetingModel
import Testing

@testable import Media

@Suite struct SendRightsTests {
  private let all = SendRights(capabilities: .all, isContent: false)

  @Test func `who may do everything is heard, hears and is seen`() {
    #expect(all.mayBeHeard && all.mayHear && all.maySendVideo)
  }

  @Test func `every authority can silence an attendee, who hears nevertheless`() {
    for part in [\SendRights.isMuted, \.isMutedByOperator, \.isReplica] {
      var rights = all
      rights[keyPath: part] = true
      #expect(!rights.mayBeHeard)
      #expect(rights.mayHear)
    }
  }

  @Test func `a replica is not seen`() {
    var rights = all
    rights.isReplica = true
    #expect(!rights.maySendVideo)
  }

  @Test func `capabilities count for each medium`() throws {
    let rights = SendRights(
      capabilities: try AttendeeCapabilities(audio: .receive, video: .send, content: .none),
      isContent: false)
    #expect(!rights.mayBeHeard && rights.mayHear && rights.maySendVideo)
  }

  @Test func `a content share has no voice, and content decides over its video`() throws {
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
