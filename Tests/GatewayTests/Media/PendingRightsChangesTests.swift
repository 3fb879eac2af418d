import MeetingModel
import Testing
import Wire

@testable import Gateway

struct PendingRightsChangesTests {
  private let ada = ParticipantID(.random())
  private let grace = ParticipantID(.random())
  private let meeting = MeetingID.random()
  private var untold = PendingRightsChanges()

  @Test mutating func `only the newest change of each kind is pending`() {
    let mute = untold.add(.isMuted(true), of: ada, in: meeting)
    #expect(untold.isNewest(mute))
    let unmute = untold.add(.isMuted(false), of: ada, in: meeting)
    #expect(!untold.isNewest(mute) && untold.isNewest(unmute))
    #expect(untold.count == 1)
  }

  @Test mutating func `a new change replaces no pending change of another kind or attendee`() {
    let mute = untold.add(.isMuted(true), of: ada, in: meeting)
    let others = [
      untold.add(.isMutedByOperator(false), of: ada, in: meeting),
      untold.add(.capabilities(V1.Capabilities()), of: ada, in: meeting),
      untold.add(.isMuted(false), of: grace, in: meeting),
      untold.add(.isMuted(false), of: ada, in: .random()),
    ]
    #expect(untold.isNewest(mute) && others.allSatisfy { untold.isNewest($0) })
    #expect(untold.count == 5)
  }

  @Test mutating func `an answered change is removed, and a newer change stays pending`() {
    let mute = untold.add(.isMuted(true), of: ada, in: meeting)
    let unmute = untold.add(.isMuted(false), of: ada, in: meeting)
    untold.remove(mute)
    #expect(untold.isNewest(unmute))
    untold.remove(unmute)
    untold.remove(unmute)
    #expect(untold.count == 0)
  }
}
