import Bus
import MeetingModel
import Wire

// Calls of the facade whose services are not part of this version: they are answered `unimplemented`,
// and clients say so to their users.
extension GatewayService {
  private static func notServed(_ call: String) -> Status {
    Status(.unimplemented, "\(call) is not served by this version of Carillon.")
  }

  func promoteToPrimaryMeeting(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ call: Call<V1.PromoteToPrimaryMeetingReply>
  ) { call.fail(Self.notServed("PromoteToPrimaryMeeting")) }

  func demoteFromPrimaryMeeting(
    _ request: V1.DemoteFromPrimaryMeetingRequest, _ call: Call<V1.DemoteFromPrimaryMeetingReply>
  ) { call.fail(Self.notServed("DemoteFromPrimaryMeeting")) }
}
