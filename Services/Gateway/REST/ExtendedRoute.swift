/// What a request below `/carillon/v1/` asks for, beyond the published interface.
enum ExtendedRoute: Hashable {
  case listMeetings
  case getRoster(meeting: String)
  case setMuted(String, meeting: String)
  case kickAttendee(String, meeting: String)
  case allowAttendee(String, meeting: String)
  case setLocked(meeting: String)
  case listMessages(meeting: String)
  case listEvents(meeting: String)
  case getAttendance(meeting: String)
  case getLimits
  case getServices
  case eraseUser
  case listWebhooks
  case createWebhook
  case getWebhook(String)
  case setWebhook(String)
  case deleteWebhook(String)
  case replayWebhook(String)
  /// It needs no signature.
  case getOpenAPI

  /// - Parameter path: What stands behind `/carillon/v1/`, decoded; at least one segment.
  init?(_ method: String, _ path: [String]) {
    switch (method, path[0], path.count) {
    case ("GET", "meetings", 1): self = .listMeetings
    case (_, "meetings", 3): self.init(method, path[2], of: path[1])
    case (_, "meetings", 5) where path[2] == "attendees":
      self.init(method, path[4], of: path[3], in: path[1])
    case ("GET", "limits", 1): self = .getLimits
    case ("GET", "services", 1): self = .getServices
    case ("POST", "erase", 1): self = .eraseUser
    case ("GET", "webhooks", 1): self = .listWebhooks
    case ("POST", "webhooks", 1): self = .createWebhook
    case ("GET", "webhooks", 2): self = .getWebhook(path[1])
    case ("PUT", "webhooks", 2): self = .setWebhook(path[1])
    case ("DELETE", "webhooks", 2): self = .deleteWebhook(path[1])
    case ("POST", "webhooks", 3) where path[2] == "replay": self = .replayWebhook(path[1])
    case ("GET", "openapi.json", 1): self = .getOpenAPI
    default: return nil
    }
  }

  private init?(_ method: String, _ what: String, of meeting: String) {
    switch (method, what) {
    case ("GET", "roster"): self = .getRoster(meeting: meeting)
    case ("PUT", "lock"): self = .setLocked(meeting: meeting)
    case ("GET", "messages"): self = .listMessages(meeting: meeting)
    case ("GET", "events"): self = .listEvents(meeting: meeting)
    case ("GET", "attendance"): self = .getAttendance(meeting: meeting)
    default: return nil
    }
  }

  private init?(_ method: String, _ what: String, of attendee: String, in meeting: String) {
    switch (method, what) {
    case ("PUT", "mute"): self = .setMuted(attendee, meeting: meeting)
    case ("POST", "kick"): self = .kickAttendee(attendee, meeting: meeting)
    case ("POST", "allow"): self = .allowAttendee(attendee, meeting: meeting)
    default: return nil
    }
  }

  /// What the path names as a meeting; `nil` where it names none.
  var meeting: String? {
    switch self {
    case .getRoster(let meeting), .setMuted(_, let meeting), .kickAttendee(_, let meeting),
      .allowAttendee(_, let meeting), .setLocked(let meeting), .listMessages(let meeting),
      .listEvents(let meeting), .getAttendance(let meeting):
      meeting
    case .listMeetings, .getLimits, .getServices, .eraseUser, .listWebhooks, .createWebhook,
      .getWebhook, .setWebhook, .deleteWebhook, .replayWebhook, .getOpenAPI:
      nil
    }
  }

  var operation: RESTOperation {
    switch self {
    case .listMeetings: .listMeetings
    case .getRoster: .getRoster
    case .setMuted: .setMuted
    case .kickAttendee: .kickAttendee
    case .allowAttendee: .allowAttendee
    case .setLocked: .setLocked
    case .listMessages: .listMessages
    case .listEvents: .listEvents
    case .getAttendance: .getAttendance
    case .getLimits: .getLimits
    case .getServices: .getServices
    case .eraseUser: .eraseUser
    case .listWebhooks: .listWebhooks
    case .createWebhook: .createWebhook
    case .getWebhook: .getWebhook
    case .setWebhook: .setWebhook
    case .deleteWebhook: .deleteWebhook
    case .replayWebhook: .replayWebhook
    case .getOpenAPI: .getOpenAPI
    }
  }

  /// Whether it is about the whole installation, which a key of one tenant is not for.
  var isForAllTenants: Bool {
    switch self {
    case .getServices, .eraseUser, .listWebhooks, .createWebhook, .getWebhook, .setWebhook,
      .deleteWebhook, .replayWebhook:
      true
    case .listMeetings, .getRoster, .setMuted, .kickAttendee, .allowAttendee, .setLocked,
      .listMessages, .listEvents, .getAttendance, .getLimits, .getOpenAPI:
      false
    }
  }
}
