import LongComputation
import MeetingModel
import RTP
import ServiceHost
import TestSupport
import Testing

@testable import Media

@Suite(.longComputation) struct MeetingMediaTests {
  private static let talkers = 5
  private static let cameras = 10

  /// The payload types of every second link. For VP8, these links use the number that the other
  /// links use for Opus.
  private static let others = LinkRTPParameters(opus: 96, vp8: 111, h264: nil, audioLevel: 3)

  /// Returns the impairments of a bad mobile link.
  private static func impairment(seed: UInt64) -> Impairment {
    var impairment = Impairment(seed: seed)
    (impairment.loss, impairment.reordered, impairment.duplicates) = (0.02, 0.05, 0.01)
    impairment.jitter = .milliseconds(12)
    return impairment
  }

  /// Returns the layers that a client receives: layers of three cameras of other clients.
  private static func layers(of client: SimulatedClient) -> [UInt32: Int] {
    var layers: [UInt32: Int] = [:]
    for offset in 1...3 {
      let camera = (client.number + 3 * offset) % cameras
      if camera != client.number { layers[UInt32(camera + 1)] = 1 + (client.number + offset) % 2 }
    }
    return layers
  }

  private static func makeMeeting(of count: Int, seed: UInt64) throws -> SimulatedMeeting {
    let meeting = try SimulatedMeeting(
      of: count, talkers: talkers, cameras: cameras, over: impairment(seed: seed), seed: seed
    ) { $0 % 2 == 0 ? .carillon : others }
    meeting.decide(layers)
    return meeting
  }

  @Test(arguments: [UInt64(1), 2])
  func `all 50 attendees receive audio and video over lossy links`(seed: UInt64) throws {
    let meeting = try Self.makeMeeting(of: 50, seed: seed)
    try meeting.run(milliseconds: 6_000)
    for client in meeting.clients {
      try expectSound(client, in: meeting)
      for (tile, layer) in Self.layers(of: client) { try expectVideo(tile, layer, of: client) }
      let expected = Set(Self.layers(of: client).keys.map { SimulatedMeeting.tracks + $0 })
      #expect(Set(client.tracks.keys) == expected)
    }
    #expect(meeting.refusals == [:])
    #expect(meeting.clients.allSatisfy { $0.misnumbered == 0 })
    expectReports(of: meeting)
  }

  /// Checks that the client's mix arrived in nearly every tick. For some clients, also checks the
  /// sound of the mix.
  private func expectSound(_ client: SimulatedClient, in meeting: SimulatedMeeting) throws {
    #expect(client.mix.count > 270)
    guard client.number % 9 == 0 else { return }
    let heard = try client.heard()
    for talker in 0..<Self.talkers {
      let amplitude = Self.amplitude(SimulatedMeeting.pitch(talker), in: heard)
      if talker == client.number {
        #expect(amplitude < 300, "\(client.number) hears itself")
      } else {
        #expect(amplitude > 1_500, "\(client.number) does not hear \(talker)")
      }
    }
  }

  /// Returns a tone's highest amplitude in any piece of 160 ms.
  private static func amplitude(_ pitch: Double, in samples: [Int16]) -> Double {
    stride(from: 0, to: samples.count - 7_680, by: 7_680).map { start in
      AudioMeasure.amplitude(of: pitch, in: samples[start..<start + 7_680])
    }.max() ?? 0
  }

  /// Checks that the layer starts with a key frame and continues without gaps in its frame numbers.
  private func expectVideo(_ tile: UInt32, _ layer: Int, of client: SimulatedClient) throws {
    let track = try #require(client.tracks[SimulatedMeeting.tracks + tile])
    let frames = track.frames
    #expect(frames.first?.isKey == true)
    #expect(frames.allSatisfy { $0.layer == layer })
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.index < $1.index })
    // There are 28 frames per second, and the last frames are still in transit.
    #expect(frames.count > 130, "tile \(tile) of \(client.number)")
    #expect(track.completeness > 0.98, "tile \(tile) of \(client.number)")
  }

  /// Checks that media's loss measurements match the losses of the clients' links.
  private func expectReports(of meeting: SimulatedMeeting) {
    for talker in meeting.clients.prefix(Self.talkers) {
      let told = meeting.metrics[meeting.sessions[talker.number].participant] ?? []
      let losses = told.compactMap { $0.audio?.lossPPM }
      #expect(losses.count >= 4 && losses.reduce(0, +) / max(losses.count, 1) < 60_000)
      #expect(talker.receptionReports.contains { $0.ssrc == talker.voice })
    }
  }

  @Test(arguments: [UInt64(5), 6])
  func `redundant packets replace lost audio, and reports still count the loss`(
    seed: UInt64
  ) throws {
    var impairment = Impairment(seed: seed)
    impairment.loss = 0.2
    var figures: [(concealed: Int, recovered: Int, lost: Int32)] = []
    for type in [nil, 63] as [UInt8?] {
      let numbers = LinkRTPParameters(
        opus: 111, redundantOpus: type, vp8: nil, h264: nil, audioLevel: nil)
      let meeting = try SimulatedMeeting(
        of: 2, talkers: 1, cameras: 0, over: impairment, seed: seed
      ) { _ in numbers }
      try meeting.run(milliseconds: 10_000)
      #expect(meeting.refusals == [:])
      let audio = try #require(meeting.media.audio.statistics(of: meeting.sessions[0].key))
      let report = try #require(meeting.clients[0].receptionReports.last)
      figures.append((audio.concealed, audio.recovered, report.cumulativeLost))
    }
    let (plain, redundant) = (figures[0], figures[1])
    #expect(plain.concealed > 30 && plain.lost > 70)
    #expect(redundant.recovered > 50)
    #expect(redundant.concealed * 3 < plain.concealed, "\(figures)")
    #expect(redundant.lost == plain.lost, "A sender adds copies by the loss that is reported.")
  }

  @Test func `redundant packets with wrong blocks are refused`() throws {
    let numbers = LinkRTPParameters(
      opus: 111, redundantOpus: 63, vp8: nil, h264: nil, audioLevel: nil)
    let meeting = try SimulatedMeeting(
      of: 1, talkers: 0, cameras: 0, over: Impairment(seed: 1), seed: 1
    ) { _ in numbers }
    func take(_ payload: [UInt8]) throws -> PacketContentKind? {
      var packet: [UInt8] = []
      OutgoingRTPHeader(
        payloadType: 63, sequence: SequenceNumber(1), timestamp: 960, ssrc: meeting.clients[0].voice
      ).begin(in: &packet)
      packet += payload
      return try meeting.media.take(packet.span, from: meeting.sessions[0], at: meeting.now)
    }
    #expect(try take([111, 0xF8, 0xFF, 0xFE]) == .audio)
    #expect(throws: DropReason.malformed) { try take([0x80 | 111, 0, 0]) }
    #expect(throws: DropReason.malformed) { try take([]) }
    #expect(throws: DropReason.payloadType) { try take([96, 1, 2]) }
  }

  @Test
  func `a reconnected client gets key frames over its new link and nothing over the old link`()
    throws
  {
    let meeting = try Self.makeMeeting(of: 12, seed: 3)
    try meeting.run(milliseconds: 1_500)
    let client = meeting.clients[11]
    let former = client.link
    meeting.reconnect(client)
    #expect(!former.isOpen)
    _ = former.takeSent()
    try meeting.run(milliseconds: 1_500)
    #expect(former.takeSent().isEmpty)
    for (tile, layer) in Self.layers(of: client) {
      let frames = client.tracks[SimulatedMeeting.tracks + tile]?.frames.filter {
        $0.layer == layer
      }
      #expect(frames?.contains(where: \.isKey) == true)
      #expect(frames?.count ?? 0 > 25)
    }
  }

  @Test func `a track that resumes at a client has no gap in its sequence numbers`() throws {
    let meeting = try Self.makeMeeting(of: 12, seed: 3)
    try meeting.run(milliseconds: 1_500)
    let client = meeting.clients[11]
    func agree(on tracks: Set<UInt32>?) throws -> [UInt32: Int] {
      client.link.agreed = tracks
      meeting.media.forward(to: meeting.sessions[client.number], at: meeting.now)
      // All packets in transit arrive during this time.
      try meeting.run(milliseconds: 500)
      let before = client.tracks.mapValues { $0.packets.count }
      try meeting.run(milliseconds: 1_500)
      return client.tracks.mapValues { $0.packets.count }.merging(before) { $0 - $1 }
    }
    #expect(try agree(on: []).values.allSatisfy { $0 < 10 })
    #expect(try agree(on: nil).values.allSatisfy { $0 > 25 })
    for tile in Self.layers(of: client).keys {
      let track = client.tracks[SimulatedMeeting.tracks + tile]
      #expect(track?.completeness ?? 0 > 0.98)
    }
  }

  @Test func `a receiver's tracks have no gap if one update of video-tiles omits the receiver`()
    throws
  {
    let meeting = try Self.makeMeeting(of: 12, seed: 4)
    let client = meeting.clients[11]
    for _ in 0..<3 {
      try meeting.run(milliseconds: 1_500)
      // Video-tiles restarts. The first update after the restart omits the client. The update 100
      // ms later includes the client.
      meeting.decide { $0 === client ? [:] : Self.layers(of: $0) }
      try meeting.run(milliseconds: 100)
      meeting.decide(Self.layers)
    }
    try meeting.run(milliseconds: 500)
    for (tile, layer) in Self.layers(of: client) {
      let track = try #require(client.tracks[SimulatedMeeting.tracks + tile])
      #expect(track.completeness > 0.98)
      #expect(track.frames.count { $0.layer == layer } > 100)
    }
  }

  @Test func `the valid start of a malformed compound packet is processed once`() throws {
    let meeting = try Self.makeMeeting(of: 2, seed: 5)
    let client = meeting.clients[1]
    try meeting.run(milliseconds: 100)
    var control = RTCPWriter()
    var block = ReportBlock(ssrc: client.hearing, fractionLost: 64, cumulativeLost: 1)
    block.highestSequence = 1
    control.addReceiverReport(sender: client.voice, reports: [block].span)
    meeting.receive(control.bytes + [0x80, 201, 0, 9], from: client)
    #expect(meeting.refusals == [.malformed: 1])
    #expect(meeting.sessions[1].streams.mixLoss == 0.25)
  }

  @Test func `acknowledgements on a client's link cover both audio and video`() throws {
    let meeting = try Self.makeMeeting(of: 12, seed: 6)
    let downlink = meeting.sessions[11].downlink
    #expect(!downlink.isAcknowledged)
    try meeting.run(milliseconds: 1_000)
    #expect(downlink.isAcknowledged)
    // The mix alone has 50 packets per second. The link counts packets of the mix as in flight,
    // like packets of video.
    #expect(downlink.audioBitsPerSecond(at: meeting.now) > 10_000)
    meeting.reconnect(meeting.clients[11])
    #expect(!downlink.isAcknowledged && downlink.bytesInFlight == 0)
  }

  @Test func `media measures only links with acknowledgements or video`() throws {
    let meeting = try SimulatedMeeting(
      of: 3, talkers: 1, cameras: 1, over: Impairment(seed: 9), seed: 9
    ) { _ in .carillon }
    for client in meeting.clients { client.link.acknowledgement = nil }
    meeting.decide { $0.number == 2 ? [1: 1] : [:] }
    try meeting.run(milliseconds: 1_000)
    #expect(meeting.sessions.map { $0.downlink.isMeasured } == [false, false, true])
    #expect(meeting.clients[1].mix.count > 20)
  }

  @Test func `a packet whose payload type the link did not negotiate is refused`() throws {
    let meeting = try Self.makeMeeting(of: 2, seed: 8)
    for (client, payloadType) in zip(meeting.clients, [UInt8(96), 111]) {
      var packet: [UInt8] = []
      OutgoingRTPHeader(
        payloadType: payloadType, sequence: SequenceNumber(1), timestamp: 0, ssrc: client.voice
      ).begin(in: &packet)
      meeting.receive(packet + [0xF8, 0xFF, 0xFE], from: client)
    }
    #expect(meeting.refusals == [.payloadType: 2])
  }

  @Test func `a link without an acknowledgement format gets no acknowledgements`() throws {
    let meeting = try Self.makeMeeting(of: 12, seed: 7)
    for client in meeting.clients { client.link.acknowledgement = nil }
    try meeting.run(milliseconds: 1_000)
    #expect(meeting.sessions.allSatisfy { !$0.downlink.isAcknowledged })
    #expect(meeting.clients.allSatisfy { $0.feedbacks == 0 })
    for client in meeting.clients { client.link.acknowledgement = .congestionFeedback }
    try meeting.run(milliseconds: 1_000)
    #expect(meeting.sessions.allSatisfy { $0.downlink.isAcknowledged })
    // Ten clients send video and receive feedback on their packets.
    #expect(meeting.clients.map { $0.feedbacks > 0 } == (0..<12).map { $0 < 10 })
  }

  @Test func `feedback gives a packet's arrival time, even if the packet waited for a decision`()
    throws
  {
    let meeting = try SimulatedMeeting(
      of: 2, talkers: 0, cameras: 1, over: Impairment(seed: 9), seed: 9
    ) { _ in .carillon }
    let client = meeting.clients[0]
    var camera = try #require(client.camera)
    meeting.receive(camera.nextFrame()[0], from: client)
    meeting.pass(.milliseconds(250))
    meeting.decide { _ in [:] }
    meeting.media.tick(at: meeting.now)
    let feedback = try #require(client.link.takeSent().first { $0[1] == 205 })
    // RFC 8888 (section 3.1): the received bit, ECN, and the age in 1/1024 s.
    let age = (Int(feedback[16]) << 8 | Int(feedback[17])) & 0x1FFF
    #expect(abs(age - 256) <= 1)
  }

  @Test func `a packet that a link drops is counted once, even after a reconnection`() throws {
    let meeting = try Self.makeMeeting(of: 2, seed: 4)
    let (client, session) = (meeting.clients[1], meeting.sessions[1])
    client.link.droppedPackets = 5
    #expect(meeting.media.countDrops(of: session) == 5)
    client.link.droppedPackets = 7
    meeting.reconnect(client)
    client.link.droppedPackets = 1
    #expect(meeting.media.countDrops(of: session) == 3)
    #expect(meeting.media.countDrops(of: session) == 0)
    meeting.media.disconnect(session, at: meeting.now)
    #expect(meeting.media.countDrops(of: session) == 0)
    #expect(meeting.media.metrics.dropped[.slow].value == 8)
  }
}
