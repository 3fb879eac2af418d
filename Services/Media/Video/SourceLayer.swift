import MeetingModel
import RTP

/// The state of one layer that a publisher sends.
struct SourceLayer: Sendable {
  /// The SSRC of the publisher's packets.
  let ssrc: UInt32

  /// The number of the layer, from 1.
  let layer: Int

  var losses: LossTracker
  var statistics = ReceptionStatistics(clockRate: SourceLayer.clockRate)
  var cache: PacketCache
  var meter = LayerMeter()
  var requests: KeyFrameRequests
  private var numbers = SequenceUnwrapper()
  private var pictures = PictureUnwrapper()
  private var parameterSets = H264ParameterSets()

  /// Whether the stream of the layer contains several spatial layers of AV1.
  ///
  /// Receivers find the pictures of such a stream only with the stream's dependency descriptors.
  private(set) var needsDescriptors = false

  /// Whether the stream of the layer contains H.264 packets with several NAL units or with a
  /// fragment of a NAL unit. Only receivers that accept packetization mode 1 can use such a stream.
  private(set) var needsPacketizationMode1 = false

  /// The counts that ``takeUplink(at:)`` has reported.
  private var told = (expected: Int64(0), received: Int64(0))

  /// The clock rate of all video, in Hz.
  static let clockRate: UInt32 = 90_000

  /// The result of receiving a packet.
  enum Arrival: Sendable {
    case refused(VideoRefusal)

    /// The router forwards the packet. If `restarts` is true, the publisher restarted the layer
    /// with this packet, or the layer continues after an interruption.
    case taken(VideoPacket, restarts: Bool)

    /// The packet has a number, but is padding or belongs to no frame. `restarts` has the same
    /// meaning as in `taken`.
    case useless(number: Int64, restarts: Bool)
  }

  init(ssrc: UInt32, layer: Int, _ rules: VideoForwardingParameters) {
    self.ssrc = ssrc
    self.layer = layer
    losses = LossTracker(rules.nacks)
    cache = PacketCache(
      packets: rules.cachedPackets, bytes: rules.cachedBytes, age: rules.cacheTime)
    requests = KeyFrameRequests(rules.keyFrames)
  }

  /// The highest packet number so far.
  var highest: Int64 { numbers.highest ?? 0 }

  mutating func receive(
    _ bytes: Span<UInt8>, _ packet: RTPPacket, _ codec: VideoCodec, at now: MonotonicTime
  ) -> Arrival {
    let arrival = statistics.receive(packet.sequence, timestamp: packet.timestamp, at: now)
    guard arrival != .implausible else { return .refused(.repeated) }
    let restarts = arrival == .restarted
    let resumes = !restarts && resumes(with: packet.sequence, at: now)
    if restarts { restart(at: now) }
    if resumes { resume(at: now) }
    let isFirst = numbers.highest == nil
    let givenUp = losses.givenUp
    guard losses.receive(packet.sequence, at: now) != .repeated else { return .refused(.repeated) }
    // If the network lost too many packets together, one key frame request replaces the NACKs for
    // these packets.
    if losses.givenUp > givenUp { requests.need(.again, at: now) }
    let number = numbers.unwrap(packet.sequence)
    meter.receive(bytes: bytes.count, timestamp: packet.timestamp, at: now)
    let payload = bytes.extracting(packet.payload)
    guard let video = read(packet, number, bytes, payload, codec) else {
      return .useless(number: number, restarts: restarts || resumes)
    }
    meter.count(temporalLayer: video.temporalLayer, at: now)
    cache.store(bytes, video, at: now)
    if video.startsKeyFrame {
      requests.keyFrameCame()
      losses.begin(with: packet.sequence)
    } else if isFirst {
      losses.expect(Self.earlierPackets, beforeFirst: packet.sequence, at: now)
    }
    return .taken(video, restarts: restarts || resumes)
  }

  /// The number of packets before the first packet that the router requests from the publisher, if
  /// the first packet does not start a key frame.
  ///
  /// A publisher starts each stream with a key frame. If the network loses or reorders the first
  /// packets of this key frame, no later packet shows the loss. Without these requests, receivers
  /// would wait until the router repeats its key frame request.
  private static let earlierPackets = 8

  /// Returns whether the layer continues with this packet after an interruption.
  ///
  /// During an interruption, no packet arrived for a second, and several packets are missing. The
  /// cause may be the publisher's link, or a stall of `media` (see ``ForwardingStallFence``).
  private func resumes(with sequence: SequenceNumber, at now: MonotonicTime) -> Bool {
    guard let highest = numbers.highest, !meter.isFlowing(at: now) else { return false }
    return numbers.peek(sequence) - highest > Self.resumptionGap
  }

  /// The maximum difference between the packet numbers before and after a silence. Up to this
  /// difference, the layer continues without a restart. For example, a layer with a low frame rate
  /// has long silences between its frames. After such a silence, the router requests the lost
  /// packets again.
  private static let resumptionGap: Int64 = 5

  /// Continues after an interruption with the next key frame.
  ///
  /// The router does not request the lost packets: they are too old for ``LossTracker/Rules``. The
  /// forwarders restart, so that receivers see no gap in the sequence numbers. A receiver may wait
  /// for the packets of a gap until the receiver's buffer is full.
  private mutating func resume(at now: MonotonicTime) {
    losses.restart()
    requests.need(.again, at: now)
  }

  /// Starts again with the next packet.
  ///
  /// The loss tracker restarts together with the statistics. Otherwise, if the new sequence numbers
  /// are only a little lower than the old numbers, the tracker would treat the new packets as
  /// repetitions.
  private mutating func restart(at now: MonotonicTime) {
    losses.restart()
    numbers = SequenceUnwrapper()
    pictures = PictureUnwrapper()
    cache.clear()
    needsPacketizationMode1 = false
    requests.restart(at: now)
  }

  /// Returns the reception statistics of the layer since the last call.
  mutating func takeUplink(at now: MonotonicTime) -> VideoUplinkStatistics {
    let (expected, received) = (statistics.expected, statistics.received)
    // After a restart of the statistics, the counts begin at 0 again.
    if received < told.received { told = (0, 0) }
    defer { told = (expected, received) }
    let state = meter.state(at: now)
    return VideoUplinkStatistics(
      packets: Int(received - told.received),
      lost: Int(max(0, expected - told.expected - (received - told.received))),
      jitterUs: statistics.jitterUs, bitsPerSecond: state.bitsPerSecond,
      framesPerSecond: state.framesPerSecond)
  }

  private mutating func read(
    _ packet: RTPPacket, _ number: Int64, _ bytes: Span<UInt8>, _ payload: Span<UInt8>,
    _ codec: VideoCodec
  ) -> VideoPacket? {
    var video = VideoPacket(
      layer: layer, number: number, timestamp: packet.timestamp,
      payloadStart: packet.payload.lowerBound)
    video.isMarked = packet.isMarked
    if codec != .av1 { needsDescriptors = false }
    switch codec {
    case .vp8: return readVP8(payload, &video) ? video : nil
    case .h264: return readH264(payload, &video) ? video : nil
    case .vp9: return readVP9(payload, &video) ? video : nil
    case .av1:
      let descriptor = DependencyDescriptor(of: packet, in: bytes)
      return readAV1(payload, descriptor, &video) ? video : nil
    }
  }

  private mutating func readVP8(_ payload: Span<UInt8>, _ video: inout VideoPacket) -> Bool {
    guard let (descriptor, start) = VP8Descriptor.read(payload) else { return false }
    video.descriptor = .vp8(descriptor)
    video.picture = descriptor.pictureID.map { pictures.unwrap($0) }
    video.temporalLayer = descriptor.temporalLayer ?? 0
    video.isLayerSync = descriptor.isLayerSync
    guard descriptor.startsFrame else { return true }
    guard let header = VP8FrameHeader(payload.extracting(start..<payload.count)) else {
      return false
    }
    video.startsKeyFrame = header.isKeyFrame
    meter.keyFrame(width: header.width, height: header.height)
    return true
  }

  /// Reads a packet of any spatial layer. The router forwards all spatial layers of a picture.
  private mutating func readVP9(_ payload: Span<UInt8>, _ video: inout VideoPacket) -> Bool {
    guard let (descriptor, start) = VP9Descriptor.read(payload) else { return false }
    video.descriptor = .vp9(descriptor)
    video.picture = descriptor.pictureID.map { pictures.unwrap($0) }
    video.temporalLayer = descriptor.temporalLayer ?? 0
    video.isSwitchingPoint = descriptor.isSwitchingPoint
    guard descriptor.startsFrame else { return true }
    guard let header = VP9FrameHeader(payload.extracting(start..<payload.count)) else {
      return false
    }
    video.startsKeyFrame = descriptor.startsIntraPicture && header.isKeyFrame
    if video.startsKeyFrame {
      meter.keyFrame(
        width: descriptor.size?.width ?? header.width,
        height: descriptor.size?.height ?? header.height)
    }
    return true
  }

  /// Reads a packet of any layer. The router forwards all layers of AV1.
  ///
  /// - Returns: `false` if the payload is malformed, or if the packet lacks a descriptor that
  ///   receivers need.
  private mutating func readAV1(
    _ payload: Span<UInt8>, _ descriptor: DependencyDescriptor?, _ video: inout VideoPacket
  ) -> Bool {
    guard let layout = AV1Payload(payload) else { return false }
    if layout.startsSequence {
      guard let header = layout.sequenceHeader(in: payload) else { return false }
      needsDescriptors = header.spatialLayers > 1
      video.startsKeyFrame = true
      meter.keyFrame(width: header.width, height: header.height)
    }
    guard let descriptor else { return !needsDescriptors }
    video.descriptor = .av1(descriptor)
    video.picture = pictures.unwrap(descriptor)
    return true
  }

  private mutating func readH264(_ payload: Span<UInt8>, _ video: inout VideoPacket) -> Bool {
    guard let structure = H264Payload(payload) else { return false }
    if structure != .single { needsPacketizationMode1 = true }
    parameterSets.take(payload)
    video.startsKeyFrame = H264Payload.startsKeyFrame(payload)
    video.keyFrameParts = H264Payload.keyFrameParts(payload)
    guard video.startsKeyFrame else { return true }
    if let parameters = H264Payload.sequenceParameters(payload) {
      meter.keyFrame(width: parameters.width, height: parameters.height)
    }
    if video.keyFrameParts.contains(.keySlice),
      !video.keyFrameParts.isSuperset(of: .parameterSets)
    {
      video.parameterSets = parameterSets.payload
    }
    return true
  }
}
