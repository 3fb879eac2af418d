import Bus
import MeetingModel
import Wire
import ZeroMQ

/// How a gateway serves its clients: what the flags said, once they are known to be right.
struct GatewaySettings: Sendable {
  let instance: String

  /// Where clients connect; the first is the ipc endpoint.
  let clientEndpoints: [Endpoint]
  let operatorEndpoint: Endpoint

  /// Bytes that may be under way to one client before it counts as too slow.
  let clientBudgetBytes: Int

  /// How often clients say that they are there.
  let keepAlive: Duration

  /// What is taken from clients' connections.
  let listening: ListenerOptions

  /// Requests one client may make.
  let requestRate: RateLimit

  /// How long a joining client waits for presence to come back.
  let joinTimeout: Duration
  let limits: Limits

  /// Where operators' tools of other machines come in, if they do.
  var operatorPort: SecuredPort?

  /// The host it is on; see ``HostName``.
  var host = ""

  /// The gateway's part of what clients are told of limits.
  var wireLimits: V1.Limits {
    var wire = V1.Limits(limits)
    wire.clientMessageBytes = 64 << 10
    wire.clientBudgetBytes = UInt32(clamping: clientBudgetBytes)
    wire.requestsPerSecond = UInt32(clamping: requestRate.perSecond)
    wire.requestBurst = UInt32(clamping: requestRate.burst)
    return wire
  }
}

extension V1.Limits {
  init(_ limits: Limits) {
    self.init(
      maxAttendees: UInt32(clamping: limits.maxAttendees),
      maxCameras: UInt32(clamping: limits.maxCameras),
      maxVideosWithoutSubscription: UInt32(clamping: limits.maxReceivedVideos),
      maxContentShares: UInt32(clamping: limits.maxContentShares),
      dataMessageBytes: UInt32(clamping: limits.maxDataMessageBytes),
      keptDataMessages: UInt32(clamping: limits.maxKeptMessages),
      dataMessageLifetimeMs: UInt32(clamping: Int(limits.maxMessageLifetime / .milliseconds(1))),
      dataMessagesPerSecond: UInt32(clamping: limits.dataMessageRate.perSecond),
      dataMessageBurst: UInt32(clamping: limits.dataMessageRate.burst),
      idleMeetingSeconds: UInt32(clamping: Int(limits.idleMeeting / .seconds(1))),
      meetingSeconds: UInt32(clamping: Int(limits.maxMeeting / .seconds(1))),
      resumeSeconds: 180)
  }

  /// Takes over what another service has a say in: where it names a limit, its word counts.
  mutating func merge(_ other: V1.Limits) {
    if other.maxAttendees > 0 { maxAttendees = min(maxAttendees, other.maxAttendees) }
    if other.dropAfterSeconds > 0 { dropAfterSeconds = other.dropAfterSeconds }
    if other.maxCameras > 0 { maxCameras = other.maxCameras }
    if other.maxVideosWithoutSubscription > 0 {
      maxVideosWithoutSubscription = other.maxVideosWithoutSubscription
    }
    if other.maxContentShares > 0 { maxContentShares = other.maxContentShares }
    if other.dataMessageBytes > 0 { dataMessageBytes = other.dataMessageBytes }
    if other.keptDataMessages > 0 { keptDataMessages = other.keptDataMessages }
    if other.dataMessageLifetimeMs > 0 { dataMessageLifetimeMs = other.dataMessageLifetimeMs }
    if other.dataMessagesPerSecond > 0 { dataMessagesPerSecond = other.dataMessagesPerSecond }
    if other.dataMessageBurst > 0 { dataMessageBurst = other.dataMessageBurst }
    if other.resumeSeconds > 0 { resumeSeconds = other.resumeSeconds }
  }
}
