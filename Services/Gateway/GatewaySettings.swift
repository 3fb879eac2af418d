import Bus
import MeetingModel
import Wire
import ZeroMQ

/// The settings of a gateway, from validated command-line options.
struct GatewaySettings: Sendable {
  let instance: String

  /// The endpoints for clients. The first endpoint is the ipc endpoint.
  let clientEndpoints: [Endpoint]
  let operatorEndpoint: Endpoint

  /// The maximum number of bytes that a client has not acknowledged. The gateway disconnects a
  /// client that exceeds this number.
  let clientBudgetBytes: Int

  /// The interval of clients' keep-alives.
  let keepAlive: Duration

  /// The limits and the security of clients' connections.
  let listening: ListenerLimits

  /// The rate limit of one client's requests.
  let requestRate: RateLimit

  /// How long a joining client waits while `presence` does not answer.
  let joinTimeout: Duration
  let limits: InstallationLimits

  /// The port for operators' tools on other machines; `nil` if there is none.
  var operatorPort: SecuredPort?

  /// The gateway's host; see ``HostIdentity``.
  var host = ""

  /// The limits that the gateway itself sets, as a message for clients.
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
  init(_ limits: InstallationLimits) {
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

  /// Takes over the limits that a service sets.
  ///
  /// For `maxAttendees`, the lower of the present value and the service's value applies.
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
