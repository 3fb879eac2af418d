internal import CarillonClientCore
internal import VPX

extension I420Picture {
  /// Creates a picture from a frame's buffer. Shares the planes of an I420 buffer, and converts a
  /// pixel buffer.
  ///
  /// - Returns: `nil` for an unknown kind of buffer.
  init?(_ buffer: any VideoFrameBuffer) {
    let planes = buffer as? VideoFrameI420Buffer ?? (buffer as? VideoFramePixelBuffer)?.i420
    guard let buffer = planes else { return nil }
    self.init(
      width: buffer.width(), height: buffer.height(),
      y: I420Plane(buffer.dataY, stride: buffer.strideY),
      u: I420Plane(buffer.dataU, stride: buffer.strideU),
      v: I420Plane(buffer.dataV, stride: buffer.strideV))
  }

  /// The picture as the buffer of a frame.
  var buffer: VideoFrameI420Buffer? {
    VideoFrameI420Buffer(
      width: width, height: height, dataY: y.bytes, strideY: y.stride, dataU: u.bytes,
      strideU: u.stride, dataV: v.bytes, strideV: v.stride)
  }
}
