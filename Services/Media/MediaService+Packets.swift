import Bus
import MeetingModel
import RTP
import ServiceHost

// What arrives at the packet socket: tickets first, then RTP and RTCP. Only a ticket is answered;
// what is wrong is counted.
extension MediaService {
  /// A frame arrived over ZeroMQ: a ticket, or a packet.
  func receive(_ bytes: Span<UInt8>, from route: Route) {
    lookForStandstill()
    guard let link = packets?.link(route) else { return }
    guard let session = link.session else { return open(link, showing: bytes) }
    // The client has not seen the answer.
    if bytes.count == MediaTicket.size, MediaTicket(bytes) == session.ticket {
      return link.send(bytes)
    }
    take(bytes, from: session)
  }

  /// A browser's packet arrived.
  func receive(_ bytes: Span<UInt8>, from id: SessionID) {
    lookForStandstill()
    if let session = sessions[id] { take(bytes, from: session) }
  }

  /// A browser's handshake completed, or the browser is back.
  func browserOpened(_ id: SessionID) {
    guard let link = door?.link(of: id), let session = sessions[id],
      let meeting = meetings[session.meeting]
    else { return }
    link.open(for: session)
    meeting.connect(session, over: link, at: mediaTime)
    beginReports(on: session, link)
  }

  /// A browser cannot be reached any more, or not for now.
  func browserIsLost(_ id: SessionID) {
    guard let session = sessions[id], session.link is WebRTCLink else { return }
    disconnect(session)
  }

  /// A packet of a session arrived.
  private func take(_ bytes: Span<UInt8>, from session: MediaSession) {
    guard let meeting = meetings[session.meeting] else { return }
    guard !fence.isUp else { return metrics.dropped[.fence].increment() }
    guard bytes.count <= configuration.rules.maxPacketBytes else {
      return refuse(.malformed, from: session)
    }
    do throws(DropReason) {
      guard let kind = try meeting.take(bytes, from: session, at: mediaTime) else { return }
      metrics.received[kind].increment()
    } catch {
      refuse(error, from: session)
    }
  }

  private func refuse(_ reason: DropReason, from session: MediaSession) {
    session.refusedPackets += 1
    metrics.dropped[reason].increment()
  }

  /// The first frame of a connection is the ticket of its session, which moves here if it was on
  /// another one. The client gets its ticket back before any packet.
  private func open(_ link: SocketLink, showing bytes: Span<UInt8>) {
    guard let session = MediaTicket(bytes).flatMap({ tickets[$0] }),
      let meeting = meetings[session.meeting]
    else {
      metrics.dropped[.unbound].increment()
      return link.refuse()
    }
    link.open(for: session)
    link.send(bytes)
    meeting.connect(session, over: link, at: mediaTime)
  }

  /// The connection has ended.
  func ended(_ route: Route) {
    guard let session = packets?.link(route)?.session else { return }
    disconnect(session)
  }

  /// The session leaves its link, if it has one.
  func disconnect(_ session: MediaSession) {
    if let link = session.link as? WebRTCLink { endReports(on: session, link) }
    meetings[session.meeting]?.disconnect(session, at: mediaTime)
  }
}

/// Thrown for a packet that is not taken.
extension DropReason: Error {}
