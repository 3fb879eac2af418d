import Bus
import MeetingModel
import RTP
import ServiceHost

// Handles the frames of the packet socket. The first frame of a connection is a ticket, and all
// further frames are RTP or RTCP. The service answers only tickets, and counts invalid frames.
extension MediaService {
  /// Handles a frame that arrived over ZeroMQ: a ticket or a packet.
  func receive(_ bytes: Span<UInt8>, from route: RoutingID) {
    lookForStandstill()
    guard let link = packets?.link(route) else { return }
    guard let session = link.session else { return open(link, showing: bytes) }
    // If a session sends its ticket again, the client has not received the answer to the ticket.
    if bytes.count == MediaTicket.size, MediaTicket(bytes) == session.ticket {
      return link.send(bytes)
    }
    take(bytes, from: session)
  }

  /// Handles a packet of a browser.
  func receive(_ bytes: Span<UInt8>, from id: SessionID) {
    lookForStandstill()
    if let session = sessions[id] { take(bytes, from: session) }
  }

  /// Connects the session of a browser that has completed a handshake, or that is reachable again.
  func browserOpened(_ id: SessionID) {
    guard let link = door?.link(of: id), let session = sessions[id],
      let meeting = meetings[session.meeting]
    else { return }
    link.open(for: session)
    meeting.connect(session, over: link, at: mediaTime)
    beginReports(on: session, link)
  }

  /// Disconnects the session of a browser that is unreachable, temporarily or permanently.
  func browserIsLost(_ id: SessionID) {
    guard let session = sessions[id], session.link is WebRTCLink else { return }
    disconnect(session)
  }

  /// Handles a packet of a session.
  private func take(_ bytes: Span<UInt8>, from session: MediaServerSession) {
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

  private func refuse(_ reason: DropReason, from session: MediaServerSession) {
    session.refusedPackets += 1
    metrics.dropped[reason].increment()
  }

  /// Binds a connection to the session whose ticket the connection's first frame contains.
  ///
  /// If the session has another connection, the session moves to this connection. Before the
  /// service sends any packet to the client, the service sends the ticket back.
  private func open(_ link: ZeroMQPacketLink, showing bytes: Span<UInt8>) {
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

  /// Disconnects the session of a connection that has closed.
  func ended(_ route: RoutingID) {
    guard let session = packets?.link(route)?.session else { return }
    disconnect(session)
  }

  /// Disconnects a session from its link. Does nothing if the session has no link.
  func disconnect(_ session: MediaServerSession) {
    if let link = session.link as? WebRTCLink { endReports(on: session, link) }
    meetings[session.meeting]?.disconnect(session, at: mediaTime)
  }
}

/// A function that drops a packet throws the reason as its error.
extension DropReason: Error {}
