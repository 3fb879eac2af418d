/// The control API's JSON answer to CreateMeeting and GetMeeting, with the members that a client
/// needs.
struct CreateMeetingResponseDocument: Decodable {
  struct Meeting: Decodable {
    let externalMeetingId: String?
    let mediaPlacement: MediaPlacement
    let mediaRegion: String?
    let meetingFeatures: MeetingFeatures?
    let meetingId: String
    let primaryMeetingId: String?

    enum CodingKeys: String, CodingKey {
      case externalMeetingId = "ExternalMeetingId"
      case mediaPlacement = "MediaPlacement"
      case mediaRegion = "MediaRegion"
      case meetingFeatures = "MeetingFeatures"
      case meetingId = "MeetingId"
      case primaryMeetingId = "PrimaryMeetingId"
    }
  }

  struct MediaPlacement: Decodable {
    let audioFallbackUrl: String
    let audioHostUrl: String
    let signalingUrl: String
    let turnControlUrl: String
    let eventIngestionUrl: String?
    let gatewayUrl: String?

    enum CodingKeys: String, CodingKey {
      case audioFallbackUrl = "AudioFallbackUrl"
      case audioHostUrl = "AudioHostUrl"
      case signalingUrl = "SignalingUrl"
      case turnControlUrl = "TurnControlUrl"
      case eventIngestionUrl = "EventIngestionUrl"
      case gatewayUrl = "GatewayUrl"
    }
  }

  struct MeetingFeatures: Decodable {
    struct Limit: Decodable {
      let maxResolution: String?

      enum CodingKeys: String, CodingKey {
        case maxResolution = "MaxResolution"
      }
    }

    let video: Limit?
    let content: Limit?

    enum CodingKeys: String, CodingKey {
      case video = "Video"
      case content = "Content"
    }
  }

  let meeting: Meeting

  enum CodingKeys: String, CodingKey {
    case meeting = "Meeting"
  }
}
