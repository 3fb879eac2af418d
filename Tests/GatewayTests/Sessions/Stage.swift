import Bus
import MeetingModel
import Storage
import TestSupport
import Wire
import ZeroMQ

@testable import Gateway

/// A session of a replica. The test answers in place of the primary's owners.
final class Stage {
  let promoter: Promoter
  let calls: SessionCalls
  let session: GatewayClientSession
  let link: LocalLink

  /// An attendee of the primary.
  let paul: V1.PromoteToPrimaryMeetingRequest

  /// The attendee of the replica itself.
  let watcher: V1.PromoteToPrimaryMeetingRequest

  /// The requests to the owners, in order: service and method.
  var told: [String] = []

  /// The changes of send rights that media received.
  var changes: [V1.SetSendRightsRequest.Change?] = []

  /// The methods that the owners refuse, each with its status.
  var answers: [String: Status] = [:]

  /// Actions to run before an owner answers.
  var before: [String: () -> Void] = [:]

  init(
    _ promoter: Promoter, _ calls: SessionCalls, _ session: GatewayClientSession, _ link: LocalLink,
    _ paul: V1.PromoteToPrimaryMeetingRequest, _ watcher: V1.PromoteToPrimaryMeetingRequest
  ) {
    (self.promoter, self.calls, self.session, self.link) = (promoter, calls, session, link)
    (self.paul, self.watcher) = (paul, watcher)
  }

  func hear<Reply>(_ what: String, _ call: Call<Reply>, _ reply: Reply) {
    told.append(what)
    before[what]?()
    before[what] = nil
    if let status = answers[what] { call.fail(status) } else { call.reply(reply) }
  }
}

/// Runs a test with an instance of each service that takes part in promotions and mutes.
func withStage(
  _ body: @Sendable (isolated KeeperFixture, Stage) async throws -> Void
) async throws {
  try await withKeeper { fixture in
    let context = fixture.context
    let services = ServiceConnectors(in: context)
    let stage = try await fixture.stage(services)
    let registry = RuntimeDirectoryRegistry(runtimeDirectory: fixture.directory)
    var servers: [RequestServer] = []
    var registrations: [any InstanceRegistration] = []
    let followed: [any ServiceConnector] = [services.roster, services.tiles, services.media]
    for following in followed.map(\.following) {
      let name = following.id.name
      let requests = try Endpoint.ipc("\(fixture.directory)/\(name).sock")
      let server = try RequestServer(at: [requests], in: fixture.sockets, on: fixture.thread)
      server.answer(for: name, on: stage)
      servers.append(server)
      registrations.append(
        try registry.register(
          InstanceAnnouncement(
            service: name, instance: "\(name)-a",
            endpoints: [
              "rpc": requests.text, "events": "ipc://\(fixture.directory)/\(name)-e.sock",
            ])))
      try following.refresh(with: registry.instances(of: name))
    }
    let result: Result<Void, any Error>
    do {
      try await eventually("media to be connected") {
        services.media.follower.owner(of: stage.session.sourceMeeting)?.isConnected == true
      }
      result = .success(try await body(fixture, stage))
    } catch {
      result = .failure(error)
    }
    for part in followed { part.following.close() }
    for server in servers { server.close() }
    for registration in registrations { registration.withdraw() }
    try result.get()
  }
}

extension RequestServer {
  /// Answers, in place of one service, the requests that belong to promotions and mutes.
  fileprivate func answer(for service: String, on stage: Stage) {
    switch service {
    case "presence":
      on(V1.PresenceMethods.promote) {
        stage.hear("presence promote", $1, V1.PromoteReply(term: 1))
      }
      on(V1.PresenceMethods.setMuted) { stage.hear("presence mute", $1, V1.SetMutedReply()) }
      on(V1.PresenceMethods.setMutedByOperator) {
        stage.hear("presence mute by operator", $1, V1.SetMutedByOperatorReply())
      }
      on(V1.PresenceMethods.muteAttendee) {
        stage.hear("presence mute by host", $1, V1.MuteAttendeeReply())
      }
      on(V1.PresenceMethods.setBarred) { stage.hear("presence bar", $1, V1.SetBarredReply()) }
      on(V1.PresenceMethods.endAttendee) {
        stage.hear("presence end attendee", $1, V1.EndAttendeeReply())
      }
      on(V1.PresenceMethods.demote) { stage.hear("presence demote", $1, V1.DemoteReply()) }
    case "media":
      on(V1.MediaMethods.setSendRights) {
        stage.changes.append($0.change)
        stage.hear("media rights", $1, V1.SetSendRightsReply())
      }
      on(V1.MediaMethods.promote) { stage.hear("media promote", $1, V1.PromoteMediaReply(term: 1)) }
      on(V1.MediaMethods.demote) { stage.hear("media demote", $1, V1.DemoteReply()) }
    default:
      let camera = V1.CameraAvailabilityChanged(status: .ok, isAvailable: true)
      on(V1.VideoTilesMethods.promote) {
        stage.hear("video-tiles promote", $1, V1.PromoteTilesReply(camera: camera))
      }
      on(V1.VideoTilesMethods.demote) { stage.hear("video-tiles demote", $1, V1.DemoteReply()) }
    }
  }
}

extension KeeperFixture {
  /// Creates a primary, its replica and an attendee of each in the store. Returns a stage with an
  /// open session in the replica.
  fileprivate func stage(_ services: ServiceConnectors) async throws -> Stage {
    let primary = try await makeMeeting("primary")
    let replica = try await makeMeeting("replica", primary: primary.id)
    let paul = try await makeAttendee("paul", in: primary)
    let watcher = try await makeAttendee("watcher", in: replica)
    let link = LocalLink()
    let session = try await session(link, in: replica)
    let promoter = Promoter(services, in: context)
    let calls = SessionCalls(services, keeper, promoter, in: context)
    return Stage(promoter, calls, session, link, paul.credentials, watcher.credentials)
  }
}

extension IssuedAttendee {
  fileprivate var credentials: V1.PromoteToPrimaryMeetingRequest {
    V1.PromoteToPrimaryMeetingRequest(
      attendeeID: attendee.id.text, externalUserID: attendee.externalUserID.text,
      joinToken: joinToken.text)
  }
}
