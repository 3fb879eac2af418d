import MeetingModel
import RTP

/// Decides which packets of one source one receiver gets, and numbers them so that it sees one
/// stream.
///
/// It begins and changes layers only at a key frame of the layer that is wanted, and goes on with
/// the old layer until then. Numbers of packets that were lost on the way here stay free, so that
/// the receiver notices and they can be filled late, also after a change of layer; those of packets
/// that are left out on purpose do not. Packets that come late and would have been left out leave
/// their number free. Timestamps go on at a change by the time that passed; picture ids and indices
/// of the base layer count on. A key frame of H.264 at which the receiver begins gets a packet with
/// its parameter sets in front of its picture, if it has not both kinds itself.
struct LayerForwarder: Sendable {
  let receiver: SessionKey
  let source: Int

  /// The SSRC of the packets that the receiver gets.
  let ssrc: UInt32

  /// The layer that is wanted, from 1; 0: none.
  private(set) var wanted = 0

  /// Whether the receiver would get more if its link carried more.
  private(set) var wantsMore = false

  /// How much the receiver wants the source, and what the decision counts for it in bits per
  /// second.
  private(set) var priority = VideoPriority.high
  private(set) var counted = 0

  /// What waits for room, and what was left out for want of it.
  var backlog = ForwarderBacklog()

  /// The highest temporal layer that is wanted.
  private var temporalLimit = UInt8.max

  private var current = ForwardedSegment()
  private var previous = ForwardedSegment()

  /// The point that the receiver's packets have reached. It outlives the forwarder.
  var position: TrackPosition

  private var isBetweenFrames = false
  private var sent = SentPackets()

  /// Whether the next key frame needs its parameter sets: the receiver begins there, or asked for
  /// it.
  private var needsParameterSets = false

  /// The parts of a key frame that the receiver has got of the present frame.
  private var keyFrameParts: H264KeyFrameParts = []

  /// The numbers of the parameter sets that go out before the packet that was forwarded last.
  /// `nil`: none do.
  private(set) var parameterSets: OutgoingVideo?

  /// - Parameter position: The point that the receiver got to when it had the track before; `nil`:
  ///   it never had the track.
  init(receiver: SessionKey, source: Int, ssrc: UInt32, after position: TrackPosition? = nil) {
    self.receiver = receiver
    self.source = source
    self.ssrc = ssrc
    self.position = position ?? TrackPosition(beginning: ssrc)
  }

  /// The layer whose key frame it waits for. `nil`: it gets what it wants, or there is no room.
  var awaited: Int? { backlog.isHeld || tailLayer == wanted ? nil : wanted }

  /// Why the receiver needs a key frame, if it needs one.
  var keyFrameNeed: KeyFrameRequests.Need { position.isUntouched ? .fresh : .again }

  /// The layer that goes out now; 0: none.
  var currentLayer: Int { current.layer }

  /// The layer that goes out behind all that waits; 0: none.
  var tailLayer: Int { backlog.tailLayer ?? current.layer }

  /// The frame of which some packets have left and others have not.
  var unfinishedFrame: UInt32? {
    current.layer == 0 || isBetweenFrames ? nil : current.frameTimestamp
  }

  /// - Parameters:
  ///   - layer: From 1; 0 stops it with the next packet.
  ///   - decision: What else was decided.
  mutating func want(_ layer: Int, _ decision: ForwardingDecision?, at now: MediaTime) {
    if wanted == 0, layer != 0 { backlog.wantedAt = now }
    if wanted != 0, layer != wanted { position.wasLeft = true }
    wanted = layer
    wantsMore = decision?.isLowered ?? false
    (priority, counted) = (decision?.priority ?? priority, decision?.bitsPerSecond ?? 0)
    let temporalLayers = decision?.temporalLayers ?? 0
    temporalLimit = temporalLayers == 0 ? .max : UInt8(clamping: temporalLayers - 1)
    if layer == 0 {
      backlog = ForwarderBacklog()
      current.layer = 0
      previous.layer = 0
    }
  }

  /// A layer began anew with other numbers, or is another: what follows belongs to nothing that
  /// went out.
  mutating func restart(_ layer: Int) {
    if current.layer == layer { current.layer = 0 }
    if previous.layer == layer { previous.layer = 0 }
  }

  /// Whether a packet that came is to wait for room, behind others or as the first.
  mutating func admits(_ packet: VideoPacket) -> Bool {
    guard wanted != 0 else { return false }
    if backlog.isHeld { return backlog.finishes(packet) }
    var tail = tailLayer
    if changesLayer(from: tail, at: packet) { tail = packet.layer }
    guard packet.layer == tail else { return false }
    backlog.append(to: tail)
    return true
  }

  /// Another codec or another track: everything begins anew with a key frame.
  ///
  /// Nothing of it waits any more.
  mutating func restartAll() {
    backlog.empty()
    current.layer = 0
    previous.layer = 0
  }

  /// The same for another track, which continues from `position`. What is wanted stays.
  func moved(to ssrc: UInt32, after position: TrackPosition?) -> LayerForwarder {
    var moved = LayerForwarder(receiver: receiver, source: source, ssrc: ssrc, after: position)
    (moved.wanted, moved.wantsMore, moved.temporalLimit) = (wanted, wantsMore, temporalLimit)
    (moved.priority, moved.counted, moved.backlog) = (priority, counted, backlog)
    moved.restartAll()
    return moved
  }

  /// The receiver asked for a key frame: it may have lost the parameter sets as well.
  mutating func needParameterSets() { needsParameterSets = true }

  /// There is room again: it begins anew with a key frame.
  mutating func release() {
    backlog.release()
    current.layer = 0
    previous.layer = 0
  }

  /// A packet of the source came, which did not come before, and there is room for it.
  ///
  /// - Parameter bytes: Of its payload, for the reports.
  /// - Returns: `nil`: the receiver does not get it.
  mutating func forward(
    _ packet: VideoPacket, payloadBytes bytes: Int, at now: MediaTime
  ) -> OutgoingVideo? {
    parameterSets = nil
    guard wanted != 0 else { return nil }
    if changesLayer(from: current.layer, at: packet) { begin(packet, at: now) }
    let mapped: (number: Int64, picture: Int64?, video: OutgoingVideo)?
    if packet.layer == current.layer, packet.number > current.highest {
      mapped = goOn(packet, at: now)
    } else if current.contains(packet), packet.temporalLayer <= current.highestTemporalLayer {
      mapped = current.map(packet, ssrc: ssrc)
    } else if previous.contains(packet), packet.temporalLayer <= previous.highestTemporalLayer {
      mapped = previous.map(packet, ssrc: ssrc)
    } else {
      mapped = nil
    }
    guard let (number, picture, video) = mapped else { return nil }
    let index = packet.descriptor?.baseLayerIndex.map { _ in video.baseLayerIndex }
    position.note(number: number, picture: picture, baseLayerIndex: index)
    sent.note(video, as: number, of: packet)
    if let parameterSets {
      sent.note(parameterSets, as: number - 1, of: packet, isParameterSets: true)
      position.count(payloadBytes: packet.parameterSets?.count ?? 0)
    }
    position.count(payloadBytes: bytes)
    return video
  }

  /// Whether the receiver goes over to the packet's layer with it. It is not shown a picture again
  /// that it has seen in another layer while this one waited for its decision.
  private func changesLayer(from layer: Int, at packet: VideoPacket) -> Bool {
    guard packet.layer == wanted, packet.layer != layer, packet.startsKeyFrame else { return false }
    guard layer != 0, let arrival = packet.heldSince, let lastFrame = position.frame else {
      return true
    }
    return arrival > lastFrame.at
  }

  private mutating func begin(_ packet: VideoPacket, at now: MediaTime) {
    if current.layer != 0 { previous = current }
    let timestamp = position.frame.map { $0.timestamp &+ Self.ticks(from: $0.at, to: now) }
    current = ForwardedSegment()
    current.layer = packet.layer
    current.first = packet.number
    current.highest = packet.number - 1
    current.highestPicture = packet.picture.map { $0 - 1 }
    current.numbers = Renumbering(offset: position.number + 1 - packet.number)
    if let picture = packet.picture, let lastPicture = position.picture {
      current.pictures = Renumbering(offset: lastPicture + 1 - picture)
    }
    current.timestampOffset = (timestamp ?? packet.timestamp) &- packet.timestamp
    if let index = packet.descriptor?.baseLayerIndex, let lastIndex = position.baseLayerIndex {
      current.indexOffset = lastIndex &+ 1 &- index
    }
    current.frameTimestamp = packet.timestamp &- 1
    needsParameterSets = true
  }

  /// The clock ticks between two frames, a millisecond at least so that frames stay apart.
  private static func ticks(from earlier: MediaTime, to now: MediaTime) -> UInt32 {
    UInt32(truncatingIfNeeded: max(now.microseconds(since: earlier), 1_000) &* 9 / 100)
  }

  /// A packet that is higher than all before.
  private mutating func goOn(
    _ packet: VideoPacket, at now: MediaTime
  ) -> (number: Int64, picture: Int64?, video: OutgoingVideo)? {
    if packet.timestamp != current.frameTimestamp {
      keyFrameParts = []
      current.beginFrame(packet, temporalLimit: temporalLimit)
      if current.forwardsFrame { noteFrame(packet, at: now) }
    }
    current.highest = packet.number
    guard current.forwardsFrame else {
      current.numbers.leaveOut(packet.number)
      return nil
    }
    isBetweenFrames = packet.isMarked
    if packet.isMarked { backlog.lastFrameAt = now }
    keyFrameParts.formUnion(packet.keyFrameParts)
    guard packet.startsKeyFrame else { return current.map(packet, ssrc: ssrc) }
    return mapKeyFrame(packet)
  }

  /// A packet that begins a key frame or its picture, with a number before it for the parameter
  /// sets that the frame lacks.
  private mutating func mapKeyFrame(
    _ packet: VideoPacket
  ) -> (number: Int64, picture: Int64?, video: OutgoingVideo)? {
    let isPreceded =
      needsParameterSets && packet.parameterSets != nil
      && !keyFrameParts.isSuperset(of: .parameterSets)
    if packet.keyFrameParts.contains(.keySlice) { needsParameterSets = false }
    if isPreceded { current.numbers.putIn(before: packet.number) }
    guard let mapped = current.map(packet, ssrc: ssrc) else { return nil }
    if isPreceded {
      let sequence = SequenceNumber(UInt16(truncatingIfNeeded: mapped.number - 1))
      parameterSets = OutgoingVideo(
        sequence: sequence, timestamp: mapped.2.timestamp, ssrc: ssrc)
    }
    return mapped
  }

  private mutating func noteFrame(_ packet: VideoPacket, at now: MediaTime) {
    var timestamp = packet.timestamp &+ current.timestampOffset
    if let last = position.frame {
      let expected = last.timestamp &+ Self.ticks(from: last.at, to: now)
      // A clock that jumped: the receiver's must not.
      if abs(Int(Int32(bitPattern: timestamp &- expected))) > Self.clockJump {
        current.timestampOffset = expected &- packet.timestamp
        timestamp = expected
      }
      guard Int32(bitPattern: timestamp &- last.timestamp) > 0 else { return }
    }
    position.frame = (timestamp, now)
  }

  /// Ten seconds at 90 kHz.
  private static let clockJump = 900_000

  // MARK: Beside the packets of the source

  /// A packet of the source is of no use to anybody: its number is given to the next one.
  mutating func leaveOut(_ number: Int64, of layer: Int) {
    guard current.layer == layer, number > current.highest else { return }
    current.highest = number
    current.numbers.leaveOut(number)
  }

  /// The numbers of a packet of padding, which may stand between two frames only. `nil`: not now.
  mutating func pad() -> OutgoingVideo? {
    guard isBetweenFrames, let lastFrame = position.frame, current.layer != 0 else { return nil }
    current.numbers.putIn(before: current.highest + 1)
    position.number += 1
    let video = OutgoingVideo(
      sequence: SequenceNumber(UInt16(truncatingIfNeeded: position.number)),
      timestamp: lastFrame.timestamp, ssrc: ssrc)
    sent.note(video, as: position.number, of: nil)
    position.count(payloadBytes: 0)
    return video
  }

  /// What goes out again because the receiver misses it.
  mutating func resend(
    _ sequence: SequenceNumber, at now: MediaTime, interval: Int64, limit: UInt8
  ) -> SentPackets.Entry? {
    sent.resend(sequence, highest: position.number, at: now, interval: interval, limit: limit)
  }

  /// What to tell the receiver of the stream. `nil`: nothing goes out.
  func report(at now: MediaTime, time: NTPTime) -> SenderReport? {
    guard current.layer != 0, let lastFrame = position.frame else { return nil }
    return SenderReport(
      ssrc: ssrc, time: time,
      timestamp: lastFrame.timestamp &+ Self.ticks(from: lastFrame.at, to: now),
      packets: position.packets,
      payloadBytes: position.payloadBytes)
  }
}
