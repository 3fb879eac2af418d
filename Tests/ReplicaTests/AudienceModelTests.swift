import AudienceModel
import MeetingModel
import OwnerTestSupport
import Testing

/// Tests of ``AudienceModel`` with examples from the original SDK's guide to replica meetings; see
/// `docs/replica-guide.md`.
@Suite struct AudienceModelTests {
  private let speaker = AudienceModel.Member(meeting: .planning, attendee: Person.ada.attendee)
  private let listener = AudienceModel.Member(meeting: .audience, attendee: Person.grace.attendee)
  private let neighbour = AudienceModel.Member(
    meeting: .audience, attendee: Person.edsger.attendee)
  private let stranger = AudienceModel.Member(
    meeting: .overflow, attendee: Person.barbara.attendee)
  private let guest = Person(number: 9).attendee

  private var model: AudienceModel {
    var model = AudienceModel()
    model.replicate(.planning, as: .audience)
    model.replicate(.planning, as: .overflow)
    for member in [speaker, listener, neighbour, stranger] { model.join(member) }
    return model
  }

  @Test func `attendees of a replica see and hear only the attendees of its primary`() {
    for viewer in [speaker, listener, neighbour, stranger] {
      #expect(model.roster(seenIn: viewer.meeting) == [speaker.attendee])
    }
    #expect(model.hears(listener, speaker) && model.getsMessage(stranger, from: speaker))
    #expect(!model.hears(listener, neighbour) && !model.hears(neighbour, listener))
    #expect(!model.hears(speaker, listener) && !model.getsMessage(listener, from: stranger))
    #expect(model.mayPublish(speaker) && !model.mayPublish(listener))
  }

  @Test func `everybody sees and hears a promoted attendee as an attendee of the primary`() {
    var model = model
    model.promote(listener, as: guest)
    for viewer in [speaker, listener, neighbour, stranger] {
      #expect(model.sees(viewer, guest) && !model.sees(viewer, listener.attendee))
    }
    #expect(model.hears(speaker, listener) && model.hears(stranger, listener))
    #expect(!model.hears(listener, listener) && model.mayPublish(listener))
  }

  @Test(arguments: ["demote", "delete", "disconnect", "end"])
  func `a promotion ends by demotion, deletion, disconnection or the end of the replica`(
    how: String
  ) {
    var model = model
    model.promote(listener, as: guest)
    switch how {
    case "demote": model.demote(listener)
    case "delete": model.delete(AudienceModel.Member(meeting: .planning, attendee: guest))
    case "end": model.end(.audience)
    default: model.leave(listener)
    }
    #expect(model.appearance(of: listener) == nil && !model.sees(stranger, guest))
    #expect(model.isPresent(listener) == (how == "demote" || how == "delete"))
  }

  @Test func `at most one person at a time acts as a given attendee of the primary`() {
    var model = model
    model.promote(listener, as: guest)
    model.promote(stranger, as: guest)
    #expect(model.appearance(of: listener) == nil && model.appearance(of: stranger) == guest)
    model.promote(stranger, as: speaker.attendee)
    #expect(!model.isPresent(speaker) && model.sees(neighbour, speaker.attendee))
  }

  @Test func `ending a primary ends its replicas, and ending a replica ends only this replica`() {
    var model = model
    model.end(.overflow)
    #expect(model.isPresent(listener) && model.isPresent(speaker) && !model.isPresent(stranger))
    model.end(.planning)
    #expect(!model.isPresent(listener))
  }
}

extension MeetingID {
  /// A second replica of ``planning``; ``audience`` is the first.
  static let overflow = numbered(4)
}
