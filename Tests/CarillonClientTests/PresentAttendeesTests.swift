import Testing

@testable import CarillonClientCore

struct PresentAttendeesTests {
  private func apply(
    _ entries: [(String, AttendeeStatus)], to known: inout PresentAttendees
  ) -> PresentAttendees.Difference {
    known.apply(entries.map { (AttendeeInfo($0.0), $0.1) })
  }

  @Test func `an attendee is reported as joined only once`() {
    var known = PresentAttendees()
    #expect(apply([("a", .joined), ("a", .joined)], to: &known).joined == [AttendeeInfo("a")])
    #expect(apply([("a", .joined)], to: &known) == PresentAttendees.Difference())
  }

  @Test(arguments: [AttendeeStatus.left, .dropped])
  func `an attendee who has left or dropped may join again`(status: AttendeeStatus) {
    var known = PresentAttendees()
    _ = apply([("a", .joined)], to: &known)
    _ = apply([("a", status)], to: &known)
    #expect(apply([("a", .joined)], to: &known).joined == [AttendeeInfo("a")])
  }

  @Test func `an unknown attendee may leave or drop`() {
    var known = PresentAttendees()
    let difference = apply([("a", .left), ("b", .dropped)], to: &known)
    #expect(difference.left == [AttendeeInfo("a")])
    #expect(difference.dropped == [AttendeeInfo("b")])
  }
}
