import Bus
import MeetingModel
import Wire

// Calls of the facade whose services are not part of this version: they are answered `unimplemented`,
// and clients say so to their users.
extension GatewayService {
  private static func notServed(_ call: String) -> Status {
    Status(.unimplemented, "\(call) is not served by this version of Carillon.")
  }

  func publishVideo(_ request: V1.PublishVideoRequest, _ call: Call<V1.PublishVideoReply>) {
    call.fail(Self.notServed("PublishVideo"))
  }

  func unpublishVideo(_ request: V1.UnpublishVideoRequest, _ call: Call<V1.UnpublishVideoReply>) {
    call.fail(Self.notServed("UnpublishVideo"))
  }

  func setRemoteVideo(_ request: V1.SetRemoteVideoRequest, _ call: Call<V1.SetRemoteVideoReply>) {
    call.fail(Self.notServed("SetRemoteVideo"))
  }

  func updateVideoSubscriptions(
    _ request: V1.UpdateVideoSubscriptionsRequest,
    _ call: Call<V1.UpdateVideoSubscriptionsReply>
  ) { call.fail(Self.notServed("UpdateVideoSubscriptions")) }

  func setTilePaused(_ request: V1.SetTilePausedRequest, _ call: Call<V1.SetTilePausedReply>) {
    call.fail(Self.notServed("SetTilePaused"))
  }

  func setVoiceFocus(_ request: V1.SetVoiceFocusRequest, _ call: Call<V1.SetVoiceFocusReply>) {
    call.fail(Self.notServed("SetVoiceFocus"))
  }

  func promoteToPrimaryMeeting(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ call: Call<V1.PromoteToPrimaryMeetingReply>
  ) { call.fail(Self.notServed("PromoteToPrimaryMeeting")) }

  func demoteFromPrimaryMeeting(
    _ request: V1.DemoteFromPrimaryMeetingRequest, _ call: Call<V1.DemoteFromPrimaryMeetingReply>
  ) { call.fail(Self.notServed("DemoteFromPrimaryMeeting")) }

  func setTranscriptLanguages(
    _ request: V1.SetTranscriptLanguagesRequest, _ call: Call<V1.SetTranscriptLanguagesReply>
  ) { call.fail(Self.notServed("SetTranscriptLanguages")) }
}
