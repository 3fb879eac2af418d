import MeetingModel
import RTP
import TestSupport
import Testing

@testable import Media

/// Tests of video whose source changes. The decision of `video-tiles` about the change arrives
/// before or after the publisher's packets.
///
/// The decisions of `video-tiles` and the packets of publishers arrive on different connections, so
/// a decision may overtake a packet, and a packet may overtake a decision. Likewise, the decision
/// about a receiver may arrive before the decision about the source.
struct VideoDecisionOrderTests {
  enum Order: CaseIterable { case packetsFirst, decisionFirst, receiverFirst }

  @Test(arguments: VideoChange.allCases, Order.allCases)
  func `video stays visible while its source changes, in any order of decisions and packets`(
    change: VideoChange, order: Order
  ) throws {
    var stage = try VideoStage(before: change)
    stage.film(frames: 10)
    stage.seen = []
    stage.prepare(change)
    let start = stage.camera.frameIndex
    if order == .receiverFirst { stage.decide(change, .receiver) }
    if order != .decisionFirst { stage.film(frames: 6) }
    stage.decide(change, order == .receiverFirst ? .source : .all)
    let decided = stage.camera.frameIndex
    stage.film(frames: 20)
    try expectWhole(stage, change, from: order == .decisionFirst ? decided : start, decided)
  }

  private func expectWhole(
    _ stage: VideoStage, _ change: VideoChange, from start: Int, _ decided: Int
  ) throws {
    let seen = stage.seen.filter { $0.ssrc == change.track }
    for (packet, following) in zip(seen, seen.dropFirst()) {
      #expect(following.sequence == packet.sequence &+ 1)
    }
    let all = seen.compactMap(\.label).filter { $0.layer == change.label }
    let labels = all.suffix(from: all.lastIndex(where: \.isKey) ?? 0)
    let first = try #require(labels.first)
    if change != .restartedOwner { #expect(first.isKey) }
    if change.isNewTrack {
      // The receiver sees the first key frame, even if this frame arrived at media before the
      // decision.
      #expect(first.index == start)
    } else {
      // The publisher answers a request for a key frame with its next frame.
      #expect(first.index <= decided + 2)
    }
    #expect(labels.map(\.index) == Array(first.index..<stage.camera.frameIndex))
  }
}

/// A change of the video that a viewer sees.
enum VideoChange: CaseIterable {
  case newSource, newLayer, fewerLayers, otherLayers, swappedLayers, otherCodec, newShare
  case otherSharer, repeatedShare, restartedOwner, forgetfulOwner

  /// The SSRC of the track that the viewer gets after the change.
  var track: UInt32 {
    switch self {
    case .newShare: 9_002
    case .otherSharer, .repeatedShare: 9_003
    default: 9_001
    }
  }

  /// Whether the meeting forwarded no packet of the source before the change.
  var isNewTrack: Bool {
    switch self {
    case .newSource, .otherLayers, .otherCodec, .newShare, .otherSharer: true
    case .newLayer, .fewerLayers, .swappedLayers, .repeatedShare: false
    case .restartedOwner, .forgetfulOwner: false
    }
  }

  /// The layer that the viewer gets after the change. The value is the number that the publisher
  /// gives this layer.
  var label: Int {
    switch self {
    case .newLayer, .fewerLayers, .otherLayers: 2
    case .restartedOwner, .forgetfulOwner: 2
    default: 1
    }
  }
}

/// A meeting in which Ada (client 0) and Lin (client 2) publish, and Grace (client 1) watches.
struct VideoStage {
  struct Seen {
    let ssrc: UInt32
    let sequence: UInt16
    let label: FrameLabel?
  }

  /// The parts of a decision.
  enum Part { case all, source, receiver }

  /// The video packets that Grace received.
  var seen: [Seen] = []
  private(set) var camera: VideoPublisher
  private var formerCamera: H264Publisher?

  /// The SSRCs of the layers that the publisher sends.
  private var filmed: Set<UInt32>
  private let meeting: SimulatedMeeting
  private var random = SeededGenerator(seed: 3)
  private var sequence: UInt64 = 0
  private var publisher = 0
  private var part = Part.all

  /// Sets up the meeting in the state before a change.
  init(before change: VideoChange) throws {
    meeting = try SimulatedMeeting(
      of: 3, talkers: 0, cameras: 0, over: Impairment(seed: 1), seed: 1
    ) { _ in .carillon }
    camera = VideoPublisher(ssrcs: [11, 12], using: &random)
    filmed = [11, 12]
    switch change {
    case .newSource, .newShare: filmed = []
    case .newLayer:
      filmed = [11]
      put(tile: 1, layers: [11], wanted: 1)
    case .otherCodec:
      formerCamera = H264Publisher(ssrc: 11)
      put(tile: 1, layers: [11], codec: .h264, wanted: 1)
    case .fewerLayers, .otherLayers, .swappedLayers, .restartedOwner, .forgetfulOwner:
      put(tile: 1, layers: [11, 12], wanted: 2)
    case .otherSharer, .repeatedShare:
      share(31, by: 2)
      put(tile: 2, layers: [31], wanted: 1)
    }
  }

  /// Makes the publisher switch to the video that the viewer sees after the change.
  mutating func prepare(_ change: VideoChange) {
    formerCamera = nil
    switch change {
    case .newSource, .otherCodec: film(with: [11])
    case .newShare: share(31, by: 2)
    case .otherSharer: share(32, by: 0)
    case .otherLayers: film(with: [21, 22])
    case .newLayer: filmed = [11, 12]
    case .fewerLayers: filmed = [12]
    case .swappedLayers, .repeatedShare, .restartedOwner: break
    case .forgetfulOwner: take(ForwardingUpdate(sequence: 1, isComplete: true))
    }
    let restarts = change != .restartedOwner && change != .forgetfulOwner
    for index in camera.layers.indices where restarts { camera.layers[index].needsKeyFrame = true }
  }

  /// Applies the decisions that video-tiles makes after the change.
  mutating func decide(_ change: VideoChange, _ part: Part) {
    self.part = part
    defer { self.part = .all }
    switch change {
    case .newSource, .otherCodec: put(tile: 1, layers: [11], wanted: 1)
    case .newLayer: put(tile: 1, layers: [11, 12], wanted: 2)
    case .fewerLayers: put(tile: 1, layers: [12], wanted: 1)
    case .otherLayers: put(tile: 1, layers: [21, 22], wanted: 2)
    case .swappedLayers: put(tile: 1, layers: [12, 11], wanted: 2)
    case .newShare: put(tile: 2, layers: [31], wanted: 1)
    case .otherSharer: put(tile: 3, layers: [32], ending: [2], wanted: 1)
    case .repeatedShare: put(tile: 3, layers: [31], ending: [2], wanted: 1)
    case .restartedOwner, .forgetfulOwner:
      put(tile: 1, layers: [11, 12], isComplete: true, wanted: 2)
    }
  }

  private mutating func film(with ssrcs: [UInt32]) {
    camera = VideoPublisher(ssrcs: ssrcs, using: &random)
    filmed = Set(ssrcs)
  }

  private mutating func share(_ ssrc: UInt32, by client: Int) {
    publisher = client
    film(with: [ssrc])
  }

  private mutating func put(
    tile: UInt32, layers: [UInt32], codec: VideoCodec = .vp8, ending ended: [UInt32] = [],
    isComplete: Bool = false, wanted: Int
  ) {
    var update = ForwardingUpdate(sequence: 0, isComplete: isComplete && part != .source)
    update.tiles = [tile]
    if part != .receiver {
      update.sources = [
        VideoSourceDescription(
          tile: tile, trackSSRC: 9_000 + tile, codec: codec, layerSSRCs: layers)
      ]
      update.endedTiles = ended
      update.publishers = [.init(tile: tile, session: meeting.clients[publisher].session)]
    }
    if part != .source {
      let decision = ForwardingDecision(tile: tile, layer: wanted)
      update.receivers = [.init(session: meeting.clients[1].session, decisions: [decision])]
    }
    take(update)
  }

  private mutating func take(_ update: ForwardingUpdate) {
    var update = update
    sequence = update.isComplete ? 1 : sequence + 1
    update.sequence = sequence
    meeting.media.take(update, at: meeting.now)
    receive()
  }

  /// Sends frames, 33 ms apart. The publisher answers requests for key frames.
  mutating func film(frames: Int) {
    for _ in 0..<frames {
      for packet in formerCamera?.nextFrame() ?? camera.nextFrame() {
        guard let ssrc = RTPPacket(packet.span)?.ssrc, filmed.contains(ssrc) else { continue }
        meeting.receive(packet, from: meeting.clients[publisher])
      }
      meeting.pass(.milliseconds(33))
      meeting.media.tick(at: meeting.now)
      receive()
    }
  }

  private mutating func receive() {
    for packet in meeting.clients[publisher].link.takeSent() { answer(packet) }
    for bytes in meeting.clients[1].link.takeSent() where !RTPPacket.isRTCP(bytes.span) {
      guard let packet = RTPPacket(bytes.span), !packet.payload.isEmpty else { continue }
      seen.append(
        Seen(
          ssrc: packet.ssrc, sequence: packet.sequence.rawValue, label: FrameLabel(packet: bytes)))
    }
  }

  private mutating func answer(_ packet: [UInt8]) {
    guard RTPPacket.isRTCP(packet.span) else { return }
    var reader = RTCPReader()
    while let part = reader.next(in: packet.span) {
      guard case .pictureLoss(_, let media) = part else { continue }
      for index in camera.layers.indices where camera.layers[index].ssrc == media {
        camera.layers[index].needsKeyFrame = true
      }
    }
  }
}
