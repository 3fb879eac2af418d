import Testing

@testable import CarillonClientCore

struct KnownAttendeesTests {
  private func apply(
    _ entries: [(String, AttendeeStatus)], to known: inout KnownAttendees
  ) -> KnownAttendees.Difference {
    known.apply(entries.map { (AttendeeInfo($0.0), $0.1) })
  }

  @Test func `an attendee is reported as joined only once`() {
    var known = KnownAttendees()
    #expect(apply([("a", .joined), ("a", .joined)], to: &known).joined == [AttendeeInfo("a")])
    #expect(apply([("a", .joined)], to: &known) == KnownAttendees.Difference())
  }

  @Test(arguments: [AttendeeStatus.left, .dropped])
  func `an attendee who has left or dropped may join again`(status: AttendeeStatus) {
    var known = KnownAttendees()
    _ = apply([("a", .joined)], to: &known)
    _ = apply([("a", status)], to: &known)
    #expect(apply([("a", .joined)], to: &known).joined == [AttendeeInfo("a")])
  }

  @Test func `an unknown attendee may leave or drop`() {
    var known = KnownAttendees()
    let difference = apply([("a", .left), ("b", .dropped)], to: &known)
    #expect(difference.left == [AttendeeInfo("a")])
    #expect(difference.dropped == [AttendeeInfo("b")])
  }
}
