import MeetingModel

/// Builds frames from packets that arrive in order and without duplicates.
struct VideoFrameBuilder: Sendable {
  private enum Depacketizer: Sendable {
    case vp8(VP8Depacketizer)
    case h264(H264Depacketizer)
    case vp9(VP9Depacketizer)
    case av1(AV1Depacketizer)
  }

  private var depacketizer: Depacketizer
  private var frame: VideoFrame?

  /// The orientation in the packets of the current frame; `nil` if these packets contain no
  /// orientation.
  private var said: VideoOrientation?

  /// The orientation of the previous frame.
  private var orientation = VideoOrientation.upright

  private(set) var data: [UInt8] = []
  private(set) var needsKeyFrame = true
  private(set) var droppedFrames = 0

  init(_ codec: VideoCodec) {
    depacketizer =
      switch codec {
      case .vp8: .vp8(VP8Depacketizer())
      case .h264: .h264(H264Depacketizer())
      case .vp9: .vp9(VP9Depacketizer())
      case .av1: .av1(AV1Depacketizer())
      }
  }

  /// Drops the current frame after a loss; the next frame must be a key frame.
  mutating func lose() {
    if frame != nil { droppedFrames += 1 }
    frame = nil
    needsKeyFrame = true
  }

  /// Adds a packet.
  ///
  /// - Returns: The frame, if this packet completes the frame.
  mutating func add(_ bytes: Span<UInt8>) -> VideoFrame? {
    guard let packet = RTPPacket(bytes), !packet.payload.isEmpty else { return nil }
    // The last packet of the previous frame, which has the marker bit, never arrived.
    if let frame, frame.timestamp != packet.timestamp { lose() }
    var details = frame ?? VideoFrame(timestamp: packet.timestamp)
    let isFirst = frame == nil
    if isFirst { begin() }
    said = VideoOrientation(of: packet, in: bytes) ?? said
    guard take(bytes.extracting(packet.payload), packet, isFirst: isFirst, &details),
      data.count <= FrameAssembler.maximumFrameBytes
    else {
      // While the builder needs a key frame, an unusable payload may belong to a frame whose
      // beginning is missing.
      if !isFirst || !needsKeyFrame {
        frame = details
        lose()
      }
      return nil
    }
    guard packet.isMarked else {
      frame = details
      return nil
    }
    frame = nil
    guard details.isKeyFrame || !needsKeyFrame else {
      droppedFrames += 1
      return nil
    }
    needsKeyFrame = false
    orientation = said ?? (details.isKeyFrame ? .upright : orientation)
    details.orientation = orientation
    return details
  }

  private mutating func begin() {
    data.removeAll(keepingCapacity: true)
    said = nil
  }

  private mutating func take(
    _ payload: Span<UInt8>, _ packet: RTPPacket, isFirst: Bool, _ details: inout VideoFrame
  ) -> Bool {
    switch depacketizer {
    case .vp8(let vp8):
      return vp8.add(payload, to: &data, isFirst: isFirst, &details)
    case .h264(var h264):
      if isFirst, needsKeyFrame, !H264Payload.startsKeyFrame(payload) { return false }
      defer { depacketizer = .h264(h264) }
      return h264.add(payload, to: &data, isFirst: isFirst, &details)
    case .vp9(let vp9):
      return vp9.add(payload, to: &data, isFirst: isFirst, &details)
    case .av1(var av1):
      defer { depacketizer = .av1(av1) }
      return av1.add(payload, to: &data, isFirst: isFirst, isLast: packet.isMarked, &details)
    }
  }
}
