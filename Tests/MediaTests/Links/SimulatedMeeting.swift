import MeetingModel
import RTP
import ServiceHost
import TestSupport
import Wire

@testable import Media

/// A `MeetingMedia` and its clients in simulated time, over links without sockets.
final class SimulatedMeeting {
  static let tracks: UInt32 = 9_000

  let media: MeetingMedia
  let clients: [SimulatedClient]
  private(set) var sessions: [MediaServerSession] = []

  /// The number of refused packets, by reason.
  private(set) var refusals: [DropReason: Int] = [:]
  private(set) var metrics: [ParticipantID: [ServerMeasuredMediaMetrics]] = [:]
  private(set) var now = MonotonicTime(microseconds: 0)
  private var step = 0

  /// - Parameters:
  ///   - talkers: The number of clients that speak, each at its own pitch.
  ///   - cameras: The number of clients that send video in three layers. The tiles of these clients
  ///     are numbered from 1.
  ///   - numbers: Returns the payload types of a client's link.
  init(
    of count: Int, talkers: Int, cameras: Int, over impairment: Impairment, seed: UInt64,
    calling numbers: (Int) -> LinkRTPParameters
  ) throws {
    let id = try MeetingID("00000000-0000-4000-8000-00000000aaaa")
    media = MeetingMedia(
      id, rules: MediaRules(), metrics: MediaCounters(in: MetricsRegistry()),
      epoch: 1_700_000_000_000_000)
    var random = SeededGenerator(seed: seed)
    clients = try (0..<count).map { number in
      let camera = VideoPublisher(ssrcs: Self.layers(number), using: &random)
      return try SimulatedClient(
        number, session: Self.session(number),
        speaking: number < talkers ? Self.pitch(number) : nil,
        filming: number < cameras ? camera : nil, over: impairment, calling: numbers(number))
    }
    for client in clients { try admit(client) }
  }

  static func pitch(_ number: Int) -> Double { 300 + 170 * Double(number) }

  static func layers(_ number: Int) -> [UInt32] {
    (1...3).map { UInt32(50_000 + 10 * number + $0) }
  }

  private static func session(_ number: Int) throws -> SessionID {
    try SessionID(wire: [UInt8(number)] + [UInt8](repeating: 7, count: 15))
  }

  private func admit(_ client: SimulatedClient) throws {
    let number = String(client.number)
    let participant = try ParticipantID(
      "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number)
    let description = AnnouncedSession(
      meeting: media.id, session: client.session,
      identity: ParticipantIdentity(
        id: participant, externalUserID: try ExternalUserID("user-\(number)")),
      rights: MediaRights(capabilities: .all, isContent: false),
      ticket: try MediaTicket(wire: [UInt8](repeating: UInt8(client.number), count: 16)),
      promotedAs: nil, audioMode: .mono48K, audio: .sendReceive, isVoiceFocusEnabled: false,
      sendSSRC: client.voice, receiveSSRC: client.hearing,
      gateway: try GatewayName(wire: "gateway-a"), gatewayRun: 1, openedAtMs: 0)
    let session = media.admit(description, at: now)
    sessions.append(session)
    media.connect(session, over: client.link, at: now)
  }

  // MARK: Decisions

  /// Sends media the list of all cameras, and the layers that each client gets.
  ///
  /// - Parameter layers: Returns the layers that a client gets, by tile.
  func decide(_ layers: (SimulatedClient) -> [UInt32: Int]) {
    let cameras = clients.filter { $0.camera != nil }
    var update = ForwardingUpdate(sequence: 1, isComplete: true)
    for camera in cameras {
      let tile = UInt32(camera.number + 1)
      update.tiles.insert(tile)
      update.sources.append(
        VideoSourceDescription(
          tile: tile, trackSSRC: Self.tracks + tile, codec: .vp8,
          layerSSRCs: Self.layers(camera.number)))
      update.publishers.append(.init(tile: tile, session: camera.session))
    }
    update.receivers = clients.map { client in
      let wanted = layers(client).sorted { $0.key < $1.key }
      return .init(
        session: client.session,
        decisions: wanted.map { ForwardingDecision(tile: $0.key, layer: $0.value) })
    }
    media.take(update, at: now)
  }

  // MARK: Time

  func run(milliseconds: Int) throws {
    for _ in 0..<milliseconds / 5 {
      for client in clients { try advance(client) }
      if step % 4 == 0 { media.tick(at: now) }
      if step % 20 == 0 { _ = (media.takeDownlinks(at: now), media.takeTracks(at: now)) }
      if step % 200 == 0 {
        media.report(at: now) { metrics[$0, default: []].append($1) }
      }
      now = now.advanced(byUs: 5_000)
      step += 1
    }
  }

  /// Advances the time without any other event.
  func pass(_ time: Duration) { now = now + time }

  private func advance(_ client: SimulatedClient) throws {
    // Each client has its own offset, so that the clients act at different times.
    let own = step + client.number
    if own % 4 == 0 { try client.speak(at: now) }
    if own % 7 == 0 { client.film(at: now) }
    if own % 10 == 0 { client.report(at: now) }
    for packet in client.up.takeArrived(at: now) { receive(packet, from: client) }
    client.receive(at: now)
  }

  /// Delivers a packet of a client.
  func receive(_ packet: [UInt8], from client: SimulatedClient) {
    do throws(DropReason) {
      _ = try media.take(packet.span, from: sessions[client.number], at: now)
    } catch {
      refusals[error, default: 0] += 1
    }
  }

  /// Closes a client's connection, and opens another connection for the client.
  func reconnect(_ client: SimulatedClient) {
    media.disconnect(sessions[client.number], at: now)
    client.reconnect()
    media.connect(sessions[client.number], over: client.link, at: now)
  }
}
