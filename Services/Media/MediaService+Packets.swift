import Bus
import MeetingModel
import RTP
import ServiceHost

// What comes by the packet socket: tickets first, then RTP and RTCP. Nothing of it is answered,
// whatever is wrong with it, but a ticket; what is wrong is counted.
extension MediaService {
  /// A frame arrived.
  func receive(_ bytes: Span<UInt8>, from route: Route) {
    lookForStandstill()
    guard let session = bindings[route] else { return bind(bytes, route) }
    guard let meeting = meetings[session.meeting] else { return }
    if bytes.count == MediaTicket.size, MediaTicket(bytes) == session.ticket {
      // The client has not seen the answer.
      packets?.send(copying: bytes, to: route)
      return
    }
    guard !fence.isUp else { return metrics.dropped[.fence].increment() }
    guard bytes.count <= configuration.rules.maxPacketBytes else {
      return refuse(.malformed, from: session)
    }
    do throws(DropReason) {
      metrics.received[try meeting.take(bytes, from: session, at: mediaTime)].increment()
    } catch {
      refuse(error, from: session)
    }
  }

  private func refuse(_ reason: DropReason, from session: MediaSession) {
    session.refusedPackets += 1
    metrics.dropped[reason].increment()
  }

  /// The first frame of a connection is the ticket of its session, which moves here if it was on
  /// another one.
  private func bind(_ bytes: Span<UInt8>, _ route: Route) {
    guard let session = MediaTicket(bytes).flatMap({ tickets[$0] }),
      let meeting = meetings[session.meeting]
    else {
      metrics.dropped[.unbound].increment()
      packets?.refuse(route)
      return
    }
    if let former = session.route {
      bindings[former] = nil
      packets?.forget(former)
    }
    packets?.welcome(route)
    bindings[route] = session
    session.route = route
    meeting.video.linkIsNew(of: session.key, at: mediaTime)
    packets?.send(copying: bytes, to: route)
    meeting.apply(session, at: mediaTime)
  }

  /// The connection is not there any more, or counts for nothing.
  func unbind(_ route: Route) {
    packets?.forget(route)
    guard let session = bindings.removeValue(forKey: route) else { return }
    session.route = nil
    meetings[session.meeting]?.apply(session, at: mediaTime)
  }

  /// A packet was dropped because its receiver is too slow.
  func dropped(_ route: Route) {
    metrics.dropped[.slow].increment()
    bindings[route]?.droppedPackets += 1
  }
}

/// Thrown for a packet that is not taken.
extension DropReason: Error {}
