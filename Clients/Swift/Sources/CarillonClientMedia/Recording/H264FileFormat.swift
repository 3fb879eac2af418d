internal import CarillonClientCore

/// Converts the encoded frames of a tile to the bytes of an H.264 file in the byte stream format
/// (ITU-T H.264, annex B).
///
/// The file begins with a key frame and its parameter sets.
struct H264FileFormat {
  private var needsKeyFrame = true

  /// Returns the bytes to append to the file for a frame.
  ///
  /// - Returns: `nil` if the file omits the frame, because the frame has another codec, or because
  ///   the file needs a key frame first.
  mutating func bytes(of frame: EncodedFrame) -> [UInt8]? {
    guard frame.codec == .h264 else {
      needsKeyFrame = true
      return nil
    }
    guard frame.isKeyFrame || !needsKeyFrame else { return nil }
    needsKeyFrame = false
    guard frame.rotation != .rotation0 else { return frame.data }
    // The file contains a message for every rotated frame. H.264 allows one message for all later
    // frames, but FFmpeg applies a message to one frame only.
    var data = frame.data
    H264OrientationMessage.insert(frame.rotation, into: &data)
    return data
  }
}
