import Bus
import MeetingModel
import Ownership
import Wire
import ZeroMQ

// Tracks the gateways, and releases the sessions of lost gateways.
extension MediaService {
  func gatewayAlive(_ request: V1.GatewayAliveRequest, _ call: Call<V1.GatewayAliveReply>) {
    answer(call) {
      let gateway = try GatewayName(wire: request.gateway)
      hear(gateway, run: request.gatewayRun)
      owner.hear(highestTerm: request.highestTerm)
      let announcement = announcements.number(for: gateway, echoing: request.announcement)
      if request.fence > 0 { change { $0.echo(request.fence, by: gateway) } }
      return V1.GatewayAliveReply(
        term: term, wantsAnnouncement: announcement > 0, fence: fence.number,
        announcement: announcement)
    }
  }

  /// Records that a message of a gateway has arrived.
  ///
  /// Asks an unknown gateway to admit the gateway's sessions again.
  func hear(_ gateway: GatewayName, run: UInt64) {
    listenBeforeJudging()
    let now = thread.now
    if gateways.hear(gateway, run: run, at: now) {
      for session in sessions.values where session.contact == .connected(gateway) {
        session.contact = .orphaned(gateway, since: now)
      }
    }
    guard !gateways.hasAnnounced(gateway) else { return }
    gateways.didAnnounce(gateway)
    announcements.want(from: gateway, run: run)
  }

  /// Removes each session whose gateway disappeared or restarted, unless a gateway admitted the
  /// session again within the grace period.
  func releaseOrphans() {
    let now = thread.now
    let grace = configuration.rules.gatewayGrace
    let gone = Set(gateways.removeSilent(at: now))
    for gateway in gone { change { $0.forget(gateway) } }
    for session in sessions.values {
      let end = session.contact.end(dropAfter: grace, gatewayGrace: grace)
      if gone.contains(session.contact.gateway) || end.map({ $0 <= now }) ?? false {
        remove(session)
      }
    }
  }

  func excuseSilence(of stall: Duration) {
    gateways.excuseSilence(of: stall)
    for session in sessions.values {
      session.contact = session.contact.excusingSilence(of: stall)
    }
  }
}
