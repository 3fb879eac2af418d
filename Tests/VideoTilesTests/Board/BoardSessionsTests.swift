import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import VideoTiles

@Suite struct BoardSessionsTests {
  private func table(_ people: [Person]) -> BoardSessions {
    var table = BoardSessions()
    for person in people {
      table.put(
        TileBoardSession(
          person.description(), contact: .connected(.a), rules: VideoTilesRules()))
    }
    return table
  }

  @Test func `sessions keep the order in which they joined`() {
    var table = table([.ada, .grace, .edsger])
    table.remove(Person.ada.session())
    #expect(table.all.map(\.participant) == [.grace, .edsger].map { (p: Person) in p.participant })
    #expect(table.index(of: Person.edsger.session()) == 1)
    #expect(table.index(of: Person.ada.session()) == nil)
    #expect(table[Person.grace.session()]?.participant == Person.grace.participant)
  }

  @Test func `a session that joins again moves to the end of the table`() {
    var table = table([.ada, .grace])
    table.remove(Person.ada.session())
    table.put(
      TileBoardSession(
        Person.ada.description(), contact: .connected(.a), rules: VideoTilesRules()))
    #expect(table.index(of: Person.ada.session()) == 1)
    #expect(table.holder(of: Person.ada.participant)?.id == Person.ada.session())
  }

  @Test func `the table of sessions finds the indices of participants`() {
    var table = table([.ada, .grace, .edsger])
    let wanted: Set = [Person.ada.participant, Person.edsger.participant]
    #expect(table.indices(of: wanted) == [0, 2])
    table.remove(Person.ada.session())
    #expect(table.indices(of: wanted) == [1])
    #expect(table.holder(of: Person.ada.participant) == nil)
  }

  @Test func `only detached and orphaned sessions wait for a deadline`() {
    var table = table([.ada, .grace])
    func waiting() -> [SessionID] { table.thoseWaiting.map(\.id) }
    #expect(waiting().isEmpty)
    table[1].contact = .detached(.a, lastHeard: .now)
    #expect(waiting() == [Person.grace.session()])
    table[1].contact = .connected(.a)
    #expect(waiting().isEmpty)
    table.put(
      TileBoardSession(
        Person.ada.description(), contact: .orphaned(.a, since: .now), rules: VideoTilesRules()))
    #expect(waiting() == [Person.ada.session()])
    table.remove(Person.ada.session())
    #expect(waiting().isEmpty)
  }
}
