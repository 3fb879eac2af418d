import MeetingModel
import RTP

/// Selects the packets of one source for one receiver, and renumbers them as one stream.
///
/// The forwarder starts or changes layers only at a key frame of the wanted layer. Until this key
/// frame arrives, the forwarder continues with the old layer. If the network loses a packet on its
/// way to `media`, the forwarder leaves a gap in the sequence numbers. So the receiver detects the
/// loss. If the packet arrives late, it fills the gap, even after a change of layer. If `media`
/// drops a packet deliberately, the forwarder leaves no gap, unless the forwarder has already sent
/// later packets. At a change of layer, the timestamps advance by the elapsed time. Picture ids and
/// base layer indices continue.
///
/// If a receiver starts at an H.264 key frame without a parameter set, the forwarder sends a packet
/// with both parameter sets before the picture of this frame.
struct LayerForwarder: Sendable {
  let receiver: SessionSlot
  let source: Int

  /// The SSRC of the packets to the receiver.
  let ssrc: UInt32

  /// The wanted layer, from 1; 0 for none.
  private(set) var wanted = 0

  /// Whether the receiver would get a higher layer if its link had more capacity.
  private(set) var wantsMore = false

  /// The priority of the source for the receiver, from the last decision of `video-tiles`.
  private(set) var priority = VideoPriority.high

  /// The bitrate that the last decision of `video-tiles` assumes for the source, in bit/s.
  private(set) var counted = 0

  /// The packets that wait for room on the link, and the record of dropped frames.
  var backlog = ForwarderBacklog()

  /// The highest wanted temporal layer.
  private var temporalLimit = UInt8.max

  private var current = ForwardedLayerSpan()
  private var previous = ForwardedLayerSpan()

  /// The position of the last packet to the receiver.
  ///
  /// The router keeps this position when it removes the forwarder.
  var position: TrackPosition

  private var isBetweenFrames = false
  private var sent = RetransmissionHistory()

  /// The timestamp of the last key frame to the receiver, the number of its first packet, and the
  /// time at which the forwarder sent this packet.
  private var lastKeyFrame: (timestamp: UInt32, number: Int64, sentAt: MonotonicTime)?

  /// Whether the receiver may have lost the start of the track, and the router has not sent it
  /// again yet.
  private var mayRepeatStart = false

  /// Whether the forwarder must send parameter sets with the next key frame, because the receiver
  /// starts at this key frame or has requested a key frame.
  private var needsParameterSets = false

  /// The parts of the present key frame that the receiver has already got.
  private var keyFrameParts: H264KeyFrameParts = []

  /// The header values of the parameter sets to send before the last forwarded packet; `nil` for
  /// none.
  private(set) var parameterSets: ForwardedPacketHeader?

  /// - Parameter position: The position of the track's last packet to the receiver; `nil` if the
  ///   forwarder has sent no packet.
  init(receiver: SessionSlot, source: Int, ssrc: UInt32, after position: TrackPosition? = nil) {
    self.receiver = receiver
    self.source = source
    self.ssrc = ssrc
    self.position = position ?? TrackPosition()
  }

  /// The layer whose key frame the forwarder awaits; `nil` if the receiver gets the wanted layer,
  /// or if the link has no room.
  var awaited: Int? { backlog.isHeld || tailLayer == wanted ? nil : wanted }

  /// The reason why the receiver would need a key frame.
  var keyFrameNeed: KeyFrameRequests.Need { position.isUntouched ? .fresh : .again }

  /// The layer that the receiver gets now; 0 for none.
  var currentLayer: Int { current.layer }

  /// The layer that the receiver gets after all waiting packets; 0 for none.
  var tailLayer: Int { backlog.tailLayer ?? current.layer }

  /// The timestamp of a frame that is only partly sent; `nil` if there is no such frame.
  var unfinishedFrame: UInt32? {
    current.layer == 0 || isBetweenFrames ? nil : current.frameTimestamp
  }

  /// Sets the wanted layer.
  ///
  /// - Parameters:
  ///   - layer: The layer, from 1. A layer of 0 stops forwarding with the next packet.
  ///   - decision: The decision, which contains the other settings.
  mutating func want(_ layer: Int, _ decision: ForwardingDecision?, at now: MonotonicTime) {
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

  /// Restarts a layer after the publisher has renumbered or replaced the layer's packets.
  ///
  /// The numbers of the layer's next packets are unrelated to the numbers of the packets that the
  /// forwarder has already sent.
  mutating func restart(_ layer: Int) {
    if current.layer == layer { current.layer = 0 }
    if previous.layer == layer { previous.layer = 0 }
  }

  /// Returns whether the receiver gets a packet that has arrived while other packets wait. The
  /// packet then waits for room on the link, after the packets that already wait.
  mutating func admits(_ packet: VideoPacket) -> Bool {
    guard wanted != 0 else { return false }
    if backlog.isHeld { return backlog.finishes(packet) }
    var tail = tailLayer
    if changesLayer(from: tail, at: packet) { tail = packet.layer }
    guard packet.layer == tail else { return false }
    backlog.append(to: tail)
    return true
  }

  /// Restarts with a key frame after a change of codec or track.
  ///
  /// The caller has dropped all waiting packets.
  mutating func restartAll() {
    backlog.empty()
    current.layer = 0
    previous.layer = 0
  }

  /// Returns a restarted forwarder for another track. The new forwarder continues from `position`,
  /// and keeps the settings of this forwarder.
  func moved(to ssrc: UInt32, after position: TrackPosition?) -> LayerForwarder {
    var moved = LayerForwarder(receiver: receiver, source: source, ssrc: ssrc, after: position)
    (moved.wanted, moved.wantsMore, moved.temporalLimit) = (wanted, wantsMore, temporalLimit)
    (moved.priority, moved.counted, moved.backlog) = (priority, counted, backlog)
    moved.restartAll()
    return moved
  }

  /// Requests parameter sets with the next key frame. The receiver has requested a key frame, and
  /// may lack these sets.
  mutating func needParameterSets() { needsParameterSets = true }

  /// Resumes with a key frame, because the link has room again.
  mutating func release() {
    backlog.release()
    current.layer = 0
    previous.layer = 0
  }

  /// Forwards a new packet of the source. The caller has checked that the link has room for the
  /// packet.
  ///
  /// - Parameter bytes: The size of the packet's payload, for the reports.
  /// - Returns: The packet's new header values; `nil` if the receiver does not get the packet.
  mutating func forward(
    _ packet: VideoPacket, payloadBytes bytes: Int, at now: MonotonicTime
  ) -> ForwardedPacketHeader? {
    parameterSets = nil
    guard wanted != 0 else { return nil }
    if changesLayer(from: current.layer, at: packet) { begin(packet, at: now) }
    let mapped: (number: Int64, picture: Int64?, video: ForwardedPacketHeader)?
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
    noteKeyFrame(packet, video, as: parameterSets == nil ? number : number - 1, at: now)
    sent.note(video, as: number, of: packet)
    if let parameterSets {
      sent.note(parameterSets, as: number - 1, of: packet, isParameterSets: true)
      position.count(payloadBytes: packet.parameterSets?.count ?? 0)
    }
    position.count(payloadBytes: bytes)
    return video
  }

  /// Returns whether the receiver changes to the packet's layer with this packet.
  ///
  /// The packet may have waited because no decision admitted it yet. If the receiver got the same
  /// picture in another layer during this wait, the receiver must not get the picture again.
  private func changesLayer(from layer: Int, at packet: VideoPacket) -> Bool {
    guard packet.layer == wanted, packet.layer != layer, packet.startsKeyFrame else { return false }
    guard layer != 0, let arrival = packet.heldSince, let lastFrame = position.frame else {
      return true
    }
    return arrival > lastFrame.at
  }

  private mutating func begin(_ packet: VideoPacket, at now: MonotonicTime) {
    if current.layer != 0 { previous = current }
    let timestamp = position.frame.map { $0.timestamp &+ Self.ticks(from: $0.at, to: now) }
    current = ForwardedLayerSpan()
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
    mayRepeatStart = position.packets == 0
  }

  /// Returns the clock ticks between two frames. The ticks cover at least a millisecond, so that
  /// frames have different timestamps.
  private static func ticks(from earlier: MonotonicTime, to now: MonotonicTime) -> UInt32 {
    UInt32(truncatingIfNeeded: max(now.microseconds(since: earlier), 1_000) &* 9 / 100)
  }

  /// Forwards a packet with a higher number than all earlier packets.
  private mutating func goOn(
    _ packet: VideoPacket, at now: MonotonicTime
  ) -> (number: Int64, picture: Int64?, video: ForwardedPacketHeader)? {
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

  /// Maps a packet with which a key frame or its picture begins.
  ///
  /// If the frame lacks parameter sets, reserves a number for these sets before the packet.
  private mutating func mapKeyFrame(
    _ packet: VideoPacket
  ) -> (number: Int64, picture: Int64?, video: ForwardedPacketHeader)? {
    let isPreceded =
      needsParameterSets && packet.parameterSets != nil
      && !keyFrameParts.isSuperset(of: .parameterSets)
    if packet.keyFrameParts.contains(.keySlice) { needsParameterSets = false }
    if isPreceded { current.numbers.putIn(before: packet.number) }
    guard let mapped = current.map(packet, ssrc: ssrc) else { return nil }
    if isPreceded {
      let sequence = SequenceNumber(UInt16(truncatingIfNeeded: mapped.number - 1))
      parameterSets = ForwardedPacketHeader(
        sequence: sequence, timestamp: mapped.2.timestamp, ssrc: ssrc)
    }
    return mapped
  }

  private mutating func noteFrame(_ packet: VideoPacket, at now: MonotonicTime) {
    var timestamp = packet.timestamp &+ current.timestampOffset
    if let last = position.frame {
      let expected = last.timestamp &+ Self.ticks(from: last.at, to: now)
      // If the publisher's clock has jumped, the receiver's clock must not jump.
      if abs(Int(Int32(bitPattern: timestamp &- expected))) > Self.clockJump {
        current.timestampOffset = expected &- packet.timestamp
        timestamp = expected
      }
      guard Int32(bitPattern: timestamp &- last.timestamp) > 0 else { return }
    }
    position.frame = (timestamp, now)
  }

  /// The minimum jump of a clock: ten seconds at 90 kHz.
  private static let clockJump = 900_000

  // MARK: Padding, retransmissions and reports

  /// Skips a packet that the receiver cannot use. The next packet gets the number of the skipped
  /// packet.
  mutating func leaveOut(_ number: Int64, of layer: Int) {
    guard current.layer == layer, number > current.highest else { return }
    current.highest = number
    current.numbers.leaveOut(number)
  }

  /// Returns the header values of a padding packet; `nil` within a frame, because padding is
  /// invalid there.
  mutating func pad() -> ForwardedPacketHeader? {
    guard isBetweenFrames, let lastFrame = position.frame, current.layer != 0 else { return nil }
    current.numbers.putIn(before: current.highest + 1)
    position.number += 1
    let video = ForwardedPacketHeader(
      sequence: SequenceNumber(UInt16(truncatingIfNeeded: position.number)),
      timestamp: lastFrame.timestamp, ssrc: ssrc)
    sent.note(video, as: position.number, of: nil)
    position.count(payloadBytes: 0)
    return video
  }

  /// Records the start of a key frame.
  private mutating func noteKeyFrame(
    _ packet: VideoPacket, _ video: ForwardedPacketHeader, as number: Int64, at now: MonotonicTime
  ) {
    guard packet.startsKeyFrame, number > lastKeyFrame?.number ?? .min,
      video.timestamp != lastKeyFrame?.timestamp
    else { return }
    lastKeyFrame = (video.timestamp, number, now)
  }

  /// Returns the record of a packet that the receiver lacks, so that the router can send the packet
  /// again.
  mutating func resend(
    _ sequence: SequenceNumber, at now: MonotonicTime, interval: Int64, limit: UInt8
  ) -> RetransmissionHistory.Answer {
    sent.resend(sequence, highest: position.number, at: now, interval: interval, limit: limit)
  }

  /// Returns whether later pictures depend on a packet that the receiver lacks.
  ///
  /// A receiver does not need the packets before its last key frame. A receiver of a stopped tile
  /// gets a key frame when the tile resumes.
  func needs(_ sequence: SequenceNumber) -> Bool {
    guard let lastKeyFrame, current.layer != 0, !backlog.isHeld else { return false }
    return RetransmissionHistory.unwrap(sequence, highest: position.number) >= lastKeyFrame.number
  }

  /// Returns the numbers of the packets from the last key frame on, once for each track, so that
  /// the router can send the start of the track again.
  ///
  /// - Parameters:
  ///   - roundTrip: The round trip to the receiver, in microseconds. A request that arrives earlier
  ///     after the key frame is not about this key frame.
  ///   - age: The time for which the router keeps packets.
  /// - Returns: `nil` if the router has already sent the start again or no longer has it, or if the
  ///   receiver waits for another key frame.
  mutating func takeStart(
    at now: MonotonicTime, roundTrip: Int64, within age: Duration
  ) -> ClosedRange<Int64>? {
    guard mayRepeatStart, let lastKeyFrame, current.layer != 0, awaited == nil, !backlog.isHeld
    else { return nil }
    let passed = now.microseconds(since: lastKeyFrame.sentAt)
    guard passed >= roundTrip else { return nil }
    mayRepeatStart = false
    guard passed < age.wholeUs else { return nil }
    return lastKeyFrame.number...max(lastKeyFrame.number, position.number)
  }

  /// Returns the sender report for the receiver; `nil` if the receiver gets no layer.
  func report(at now: MonotonicTime, time: NTPTime) -> SenderReport? {
    guard current.layer != 0, let lastFrame = position.frame else { return nil }
    return SenderReport(
      ssrc: ssrc, time: time,
      timestamp: lastFrame.timestamp &+ Self.ticks(from: lastFrame.at, to: now),
      packets: position.packets,
      payloadBytes: position.payloadBytes)
  }
}
