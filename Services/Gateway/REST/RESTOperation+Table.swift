extension RESTOperation {
  /// All operations. Each operation is a row of this table and a function in an extension of
  /// `RESTHandler`.
  ///
  /// `openapi.json` describes the same operations below `/carillon/v1/`, except the page's
  /// operations. A test compares this description with the rows.
  static let table =
    meetings + attendees + tags + operators + hosts + records + webhooks + others

  // MARK: The published interface

  private static let meetings = [
    RESTOperation(
      "CreateMeeting", .post, "/meetings", .key(.creates),
      reads: .newMeeting(), .caller,
      does: RESTHandler.createMeeting, answers: .object("Meeting")),
    RESTOperation(
      "CreateMeetingWithAttendees", .post, "/meetings", operation: "create-attendees",
      .key(.creates),
      reads: .newMeeting(attendees: 20), .caller,
      does: RESTHandler.createMeetingWithAttendees,
      answers: .object("Meeting", "Attendees", "Errors")),
    RESTOperation(
      "GetMeeting", .get, "/meetings/{MeetingId}", .key(.reads),
      reads: .meeting, .placementBase,
      does: RESTHandler.getMeeting, answers: .object("Meeting")),
    RESTOperation(
      "DeleteMeeting", .delete, "/meetings/{MeetingId}", .key(.changes),
      reads: .meeting,
      does: RESTHandler.deleteMeeting, answers: .noContent),
    RESTOperation(
      "StartMeetingTranscription", .post, "/meetings/{MeetingId}/transcription", operation: "start",
      .key(.changes),
      reads: .body(JSONMembers.transcriptionConfiguration), .meeting,
      does: RESTHandler.startTranscription, answers: .empty),
    RESTOperation(
      "StopMeetingTranscription", .post, "/meetings/{MeetingId}/transcription", operation: "stop",
      .key(.changes),
      reads: .meeting,
      does: RESTHandler.stopTranscription, answers: .empty),
  ]

  private static let attendees = [
    RESTOperation(
      "CreateAttendee", .post, "/meetings/{MeetingId}/attendees", .key(.creates),
      reads: .body(JSONMembers.attendeeRequest), .meeting,
      does: RESTHandler.createAttendee, answers: .object("Attendee")),
    RESTOperation(
      "BatchCreateAttendee", .post, "/meetings/{MeetingId}/attendees", operation: "batch-create",
      .key(.creates),
      reads: .body(JSONMembers.attendeeBatch), .meeting,
      does: RESTHandler.createAttendees, answers: .object("Attendees", "Errors")),
    RESTOperation(
      "GetAttendee", .get, "/meetings/{MeetingId}/attendees/{AttendeeId}", .key(.reads),
      reads: .attendee, .meeting,
      does: RESTHandler.getAttendee, answers: .object("Attendee")),
    RESTOperation(
      "ListAttendees", .get, "/meetings/{MeetingId}/attendees", .key(.reads),
      reads: .meeting, .page(of: ""),
      does: RESTHandler.listAttendees, answers: .object("Attendees", optional: ["NextToken"])),
    RESTOperation(
      "DeleteAttendee", .delete, "/meetings/{MeetingId}/attendees/{AttendeeId}", .key(.changes),
      reads: .attendee, .meeting,
      does: RESTHandler.deleteAttendee, answers: .noContent),
    RESTOperation(
      "UpdateAttendeeCapabilities", .put,
      "/meetings/{MeetingId}/attendees/{AttendeeId}/capabilities", .key(.changes),
      reads: .body(JSONMembers.requiredCapabilities), .attendee, .meeting,
      does: RESTHandler.updateCapabilities, answers: .object("Attendee")),
    RESTOperation(
      "BatchUpdateAttendeeCapabilitiesExcept", .put,
      "/meetings/{MeetingId}/attendees/capabilities", operation: "batch-update-except",
      .key(.changes),
      reads: .body(JSONMembers.capabilitiesOfOthers), .meeting,
      does: RESTHandler.updateCapabilitiesOfOthers, answers: .empty),
  ]

  private static let tags = [
    RESTOperation(
      "TagResource", .post, "/tags", operation: "tag-resource", .key(.changes),
      reads: .body(JSONMembers.tagging), .caller,
      does: RESTHandler.tagResource, answers: .noContent),
    RESTOperation(
      "UntagResource", .post, "/tags", operation: "untag-resource", .key(.changes),
      reads: .body(JSONMembers.untagging), .caller,
      does: RESTHandler.untagResource, answers: .noContent),
    RESTOperation(
      "ListTagsForResource", .get, "/tags", .key(.reads),
      reads: .arn, .caller,
      does: RESTHandler.listTags, answers: .object("Tags")),
  ]

  // MARK: Beyond the published interface

  private static let operators = [
    RESTOperation(
      "ListMeetings", .get, "/carillon/v1/meetings", .key(.reads),
      reads: .page(of: "meetings"), .caller,
      does: RESTHandler.listMeetings, answers: .object("Meetings", optional: ["NextToken"])),
    RESTOperation(
      "GetRoster", .get, "/carillon/v1/meetings/{MeetingId}/roster", .key(.reads),
      reads: .meeting,
      does: RESTHandler.getRoster, answers: .object("Attendees", "Barred")),
    RESTOperation(
      "GetReceivedVideo", .get,
      "/carillon/v1/meetings/{MeetingId}/attendees/{AttendeeId}/received-video", .key(.reads),
      reads: .attendee, .meeting,
      does: RESTHandler.getReceivedVideo,
      answers: .object("Tiles", optional: ["DownlinkBitsPerSecond"])),
    RESTOperation(
      "SetMuted", .put, "/carillon/v1/meetings/{MeetingId}/attendees/{AttendeeId}/mute",
      .key(.changes),
      reads: .flag("Muted"), .attendee, .meeting,
      does: RESTHandler.setMuted, answers: .noContent),
    RESTOperation(
      "KickAttendee", .post, "/carillon/v1/meetings/{MeetingId}/attendees/{AttendeeId}/kick",
      .key(.changes),
      reads: .attendee, .meeting,
      does: RESTHandler.kickAttendee, answers: .noContent),
    RESTOperation(
      "AllowAttendee", .post, "/carillon/v1/meetings/{MeetingId}/attendees/{AttendeeId}/allow",
      .key(.changes),
      reads: .attendee, .meeting,
      does: RESTHandler.allowAttendee, answers: .noContent),
    RESTOperation(
      "SetLocked", .put, "/carillon/v1/meetings/{MeetingId}/lock", .key(.changes),
      reads: .flag("Locked"), .meeting,
      does: RESTHandler.setLocked, answers: .noContent),
    RESTOperation(
      "ListMessages", .get, "/carillon/v1/meetings/{MeetingId}/messages", .key(.reads),
      reads: .meeting, .page(of: "messages"),
      does: RESTHandler.listMessages, answers: .object("Messages", optional: ["NextToken"])),
    RESTOperation(
      "GetLimits", .get, "/carillon/v1/limits", .key(.reads),
      does: RESTHandler.getLimits, answers: .object("Limits")),
    RESTOperation(
      "GetServices", .get, "/carillon/v1/services", .installationKey(.reads),
      does: RESTHandler.getServices, answers: .object("Version", "MeetingCount", "Instances")),
  ]

  private static let hosts = [
    RESTOperation(
      "CreateHostToken", .post, "/carillon/v1/meetings/{MeetingId}/host-tokens", .key(.changes),
      reads: .meeting,
      does: RESTHandler.createHostToken, answers: .object("HostToken", "ExpiresAt")),
    RESTOperation(
      "MuteAsHost", .post,
      "/carillon/v1/host/meetings/{MeetingId}/attendees/{AttendeeId}/mute", .host,
      reads: .attendee, .meeting,
      does: RESTHandler.muteAsHost, answers: .noContent),
    RESTOperation(
      "MuteAllAsHost", .post, "/carillon/v1/host/meetings/{MeetingId}/mute", .host,
      reads: .body(JSONMembers.sparedAttendees), .meeting,
      does: RESTHandler.muteAllAsHost, answers: .object("Muted")),
    RESTOperation(
      "AskToUnmuteAsHost", .post,
      "/carillon/v1/host/meetings/{MeetingId}/attendees/{AttendeeId}/ask-to-unmute", .host,
      reads: .attendee, .meeting,
      does: RESTHandler.askToUnmuteAsHost, answers: .noContent),
    RESTOperation(
      "LowerHandAsHost", .post,
      "/carillon/v1/host/meetings/{MeetingId}/attendees/{AttendeeId}/lower-hand", .host,
      reads: .attendee, .meeting,
      does: RESTHandler.lowerHandAsHost, answers: .noContent),
    RESTOperation(
      "LowerAllHandsAsHost", .post, "/carillon/v1/host/meetings/{MeetingId}/lower-hands", .host,
      reads: .meeting,
      does: RESTHandler.lowerAllHandsAsHost, answers: .noContent),
    RESTOperation(
      "AppointAsHost", .post,
      "/carillon/v1/host/meetings/{MeetingId}/attendees/{AttendeeId}/appoint", .host,
      reads: .attendee, .meeting,
      does: RESTHandler.appointAsHost, answers: .noContent),
    RESTOperation(
      "RemoveAsHost", .post,
      "/carillon/v1/host/meetings/{MeetingId}/attendees/{AttendeeId}/remove", .host,
      reads: .attendee, .meeting,
      does: RESTHandler.kickAttendee, answers: .noContent),
    RESTOperation(
      "SetLockedAsHost", .put, "/carillon/v1/host/meetings/{MeetingId}/lock", .host,
      reads: .flag("Locked"), .meeting,
      does: RESTHandler.setLocked, answers: .noContent),
    RESTOperation(
      "StartCaptionsAsHost", .put, "/carillon/v1/host/meetings/{MeetingId}/transcription", .host,
      reads: .body(JSONMembers.captionConfiguration), .meeting,
      does: RESTHandler.startTranscription, answers: .noContent),
    RESTOperation(
      "StopCaptionsAsHost", .delete, "/carillon/v1/host/meetings/{MeetingId}/transcription", .host,
      reads: .meeting,
      does: RESTHandler.stopTranscription, answers: .noContent),
    RESTOperation(
      "ListKnocks", .get, "/carillon/v1/host/meetings/{MeetingId}/knocks", .host,
      reads: .meeting,
      does: RESTHandler.listKnocks, answers: .object("Knocks")),
    RESTOperation(
      "AnswerKnock", .post, "/carillon/v1/host/meetings/{MeetingId}/knocks", .host,
      reads: .body(JSONMembers.knockAnswer), .meeting,
      does: RESTHandler.answerKnock, answers: .noContent),
    RESTOperation(
      "EndMeetingAsHost", .delete, "/carillon/v1/host/meetings/{MeetingId}", .host,
      reads: .meeting,
      does: RESTHandler.deleteMeeting, answers: .noContent),
  ]

  private static let records = [
    RESTOperation(
      "ListEvents", .get, "/carillon/v1/meetings/{MeetingId}/events", .key(.reads),
      reads: .meeting, .limit, .afterSequence, .caller,
      does: RESTHandler.listEvents, answers: .object("Epoch", "LastSequence", "Events")),
    RESTOperation(
      "GetAttendance", .get, "/carillon/v1/meetings/{MeetingId}/attendance", .key(.reads),
      reads: .meeting, .page(of: "attendance", most: 1_000), .header("Accept"), .caller,
      does: RESTHandler.getAttendance, answers: .written),
    RESTOperation(
      "EraseUser", .post, "/carillon/v1/erase", .installationKey(.changes),
      reads: .body(JSONMembers.erasedUser),
      does: RESTHandler.eraseUser,
      answers: .object(
        "Attendees", "Sessions", "Events", "Hosted", "ClientEvents", "Messages")),
  ]

  private static let webhooks = [
    RESTOperation(
      "ListWebhooks", .get, "/carillon/v1/webhooks", .installationKey(.reads),
      does: RESTHandler.listWebhooks, answers: .object("Webhooks")),
    RESTOperation(
      "CreateWebhook", .post, "/carillon/v1/webhooks", .installationKey(.changes),
      reads: .body(JSONMembers.newWebhook),
      does: RESTHandler.createWebhook, answers: .object("Webhook", optional: ["Secret"])),
    RESTOperation(
      "GetWebhook", .get, "/carillon/v1/webhooks/{WebhookId}", .installationKey(.reads),
      reads: .webhook,
      does: RESTHandler.getWebhook, answers: .object("Webhook")),
    RESTOperation(
      "SetWebhook", .put, "/carillon/v1/webhooks/{WebhookId}", .installationKey(.changes),
      reads: .flag("Enabled"), .webhook,
      does: RESTHandler.setWebhook, answers: .object("Webhook")),
    RESTOperation(
      "DeleteWebhook", .delete, "/carillon/v1/webhooks/{WebhookId}", .installationKey(.changes),
      reads: .webhook,
      does: RESTHandler.deleteWebhook, answers: .noContent),
    RESTOperation(
      "ReplayWebhook", .post, "/carillon/v1/webhooks/{WebhookId}/replay",
      .installationKey(.changes),
      reads: .body(JSONMembers.eventReplay), .webhook,
      does: RESTHandler.replayWebhook, answers: .object("Added")),
  ]

  // MARK: Clients, load balancers, the page

  private static let others = [
    RESTOperation(
      "PutClientEvents", .post, "/v1/client-events", operation: .ignored, .none,
      reads: .request,
      does: RESTHandler.putClientEvents, answers: .object()),
    RESTOperation(
      "GetEndpoints", .get, "/carillon/v1/endpoints", operation: .ignored, .none,
      does: RESTHandler.getEndpoints, answers: .object("GatewayUrl")),
    RESTOperation(
      "GetOpenAPI", .get, "/carillon/v1/openapi.json", .none,
      does: RESTHandler.getOpenAPI, answers: .written),
    RESTOperation(
      "GetLiveness", .get, "/livez", operation: .ignored, .none,
      does: RESTHandler.getLiveness, answers: .written),
    RESTOperation(
      "GetReadiness", .get, "/readyz", operation: .ignored, .none,
      does: RESTHandler.getReadiness, answers: .written),
    RESTOperation(
      "GetHealth", .get, "/healthz", operation: .ignored, .none,
      does: RESTHandler.getReadiness, answers: .written),
    RESTOperation(
      "DescribeWeb", .get, "/carillon/v1/web", .none,
      does: RESTHandler.describeWeb, answers: .written),
    RESTOperation(
      "JoinFromWeb", .post, "/carillon/v1/web/join", .page,
      reads: .request, .caller,
      does: RESTHandler.joinFromPage, answers: .written),
    RESTOperation(
      "KnockFromWeb", .post, "/carillon/v1/web/knocks", .page,
      reads: .request,
      does: RESTHandler.knockFromPage, answers: .written),
    RESTOperation(
      "FollowKnockFromWeb", .post, "/carillon/v1/web/knocks/state", .page,
      reads: .request,
      does: RESTHandler.followKnockFromPage, answers: .written),
    RESTOperation(
      "HostFromWeb", .post, "/carillon/v1/web/meetings/{MeetingId}/host-token", .page,
      reads: .request, .meeting,
      does: RESTHandler.hostFromPage, answers: .written),
    RESTOperation(
      "GetCaptionRightFromWeb", .get, "/carillon/v1/web/meetings/{MeetingId}/transcription", .page,
      reads: .request, .meeting, .caller,
      does: RESTHandler.captionRightFromPage, answers: .written),
    RESTOperation(
      "CaptionFromWeb", .put, "/carillon/v1/web/meetings/{MeetingId}/transcription", .page,
      reads: .request, .meeting, .caller,
      does: RESTHandler.captionFromPage, answers: .written),
    RESTOperation(
      "CaptionFromWeb", .delete, "/carillon/v1/web/meetings/{MeetingId}/transcription", .page,
      reads: .request, .meeting, .caller,
      does: RESTHandler.captionFromPage, answers: .written),
  ]
}
