import MeetingModel
import RTP
import TestSupport

@testable import Media

/// A router with one camera, and the packets that the router sent to each session.
struct VideoMeeting {
  static let ada = SessionSlot(0)
  static let grace = SessionSlot(1)
  static let tile: UInt32 = 1
  static let trackSSRC: UInt32 = 0xCAFE

  var router: VideoRouter
  var publisher: VideoPublisher
  var random: SeededGenerator
  var now = MonotonicTime(microseconds: 1_000_000)
  private(set) var sent: [SessionSlot: [[UInt8]]] = [:]

  init(
    seed: UInt64 = 1, layers: [UInt32] = [11, 12, 13], codec: VideoCodec = .vp8,
    rules: VideoForwardingParameters = VideoForwardingParameters()
  ) {
    random = SeededGenerator(seed: seed)
    publisher = VideoPublisher(ssrcs: layers, using: &random)
    router = VideoRouter(rules)
    router.put(
      VideoSourceDescription(
        tile: Self.tile, trackSSRC: Self.trackSSRC, codec: codec, layerSSRCs: layers))
    router.setPublisher(Self.ada, of: Self.tile)
  }

  /// Changes the codec or the layers of a source, and processes the packets that waited for the
  /// change. Adds the source if it is new.
  ///
  /// - Returns: For each packet that waited, the reason why the meeting dropped the packet; `nil`
  ///   if the meeting accepted the packet.
  @discardableResult
  mutating func change(
    to codec: VideoCodec, layers: [UInt32] = [11], track: UInt32 = trackSSRC,
    tile: UInt32 = tile, publisher: SessionSlot = ada
  ) -> [VideoRefusal?] {
    router.put(
      VideoSourceDescription(tile: tile, trackSSRC: track, codec: codec, layerSSRCs: layers))
    router.setPublisher(publisher, of: tile)
    return takeEarly()
  }

  @discardableResult
  mutating func takeEarly() -> [VideoRefusal?] {
    var sent = self.sent
    let outcomes = router.takeEarly(at: now) { sent[$0, default: []].append(Self.copy($1)) }
    self.sent = sent
    return outcomes.map(\.refusal)
  }

  /// Requests a key frame for a receiver.
  mutating func requestKeyFrame(by receiver: SessionSlot = grace) {
    var writer = RTCPWriter()
    writer.addPictureLoss(sender: 5, media: Self.trackSSRC)
    receive(writer.bytes, from: receiver)
  }

  mutating func want(_ layer: Int, temporalLayers: Int = 0, by receiver: SessionSlot = grace) {
    var sent = self.sent
    router.decide(
      [
        ForwardingDecision(tile: Self.tile, layer: layer, temporalLayers: temporalLayers)
      ], for: receiver, at: now
    ) { sent[$0, default: []].append(Self.copy($1)) }
    self.sent = sent
  }

  @discardableResult
  mutating func receive(_ packet: [UInt8], from session: SessionSlot = ada) -> VideoRefusal? {
    var sent = self.sent
    let refusal = router.receive(packet.span, from: session, at: now) {
      sent[$0, default: []].append(Self.copy($1))
    }
    self.sent = sent
    return refusal
  }

  mutating func tick() {
    var sent = self.sent
    router.tick(at: now) { sent[$0, default: []].append(Self.copy($1)) }
    self.sent = sent
  }

  /// Sends a frame of all layers, 1/30 s after the last frame.
  mutating func sendFrame() {
    for packet in publisher.nextFrame() { receive(packet) }
    now = now.advanced(byUs: 33_333)
  }

  /// Returns the packets that the meeting sent to a session since the last call.
  mutating func takeSent(to session: SessionSlot) -> [[UInt8]] {
    sent.removeValue(forKey: session) ?? []
  }

  /// Returns the packets that the meeting sent to a session since the last call, without RTCP.
  mutating func takeVideo(to session: SessionSlot = grace) -> [[UInt8]] {
    takeSent(to: session).filter { !RTPPacket.isRTCP($0.span) }
  }

  /// Delivers the requests for key frames and for missing packets to the publisher.
  ///
  /// - Returns: The missing sequence numbers, by SSRC.
  mutating func takeRequests() -> [UInt32: [UInt16]] {
    var missing: [UInt32: [UInt16]] = [:]
    for bytes in takeSent(to: Self.ada) {
      var reader = RTCPReader()
      while let packet = reader.next(in: bytes.span) {
        switch packet {
        case .pictureLoss(_, let media):
          for index in publisher.layers.indices where publisher.layers[index].ssrc == media {
            publisher.layers[index].needsKeyFrame = true
          }
        case .nack(let list):
          list.forEach(in: bytes.span) { missing[list.media, default: []].append($0.rawValue) }
        default: break
        }
      }
    }
    return missing
  }

  private static func copy(_ bytes: Span<UInt8>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.append(copying: bytes)
    return copy
  }
}
