import MeetingModel
import Testing

@testable import Media

@Suite struct ReannouncementRequestsTests {
  @Test func `media requests an announcement until the gateway echoes the request's number`() throws
  {
    let a = try #require(GatewayName("gateway-a"))
    var announcements = ReannouncementRequests()
    #expect(announcements.number(for: a, echoing: 0) == 0)
    announcements.want(from: a, run: 5)
    for _ in 0..<3 { #expect(announcements.number(for: a, echoing: 0) == 1) }
    let b = try #require(GatewayName("gateway-b"))
    #expect(announcements.number(for: b, echoing: 0) == 0)
    #expect(announcements.number(for: a, echoing: 1) == 0)
    #expect(announcements.number(for: a, echoing: 0) == 0)
  }

  @Test
  func `another loss of sessions or a new run of a gateway causes a new announcement number`()
    throws
  {
    let a = try #require(GatewayName("gateway-a"))
    var announcements = ReannouncementRequests()
    announcements.want(from: a, run: 5)
    #expect(announcements.number(for: a, echoing: 1) == 0)
    announcements.want(from: a, run: 5)
    #expect(announcements.number(for: a, echoing: 1) == 2)
    #expect(announcements.number(for: a, echoing: 2) == 0)
    announcements.want(from: a, run: 6)
    #expect(announcements.number(for: a, echoing: 2) == 1)
  }
}
