internal import CVPX

/// A VP8 decoder for untrusted frames. Invalid bytes cause an error and nothing else.
///
/// Only one thread uses a decoder at a time.
@safe public struct VP8Decoder: ~Copyable {
  private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
  private let mostPixels: Int

  /// The default limit of a picture: the pixels of 4096 x 2304.
  public static let defaultMostPixels = 4096 * 2304

  /// - Parameter mostPixels: The maximum number of pixels of a picture. The decoder refuses a
  ///   larger picture before allocating memory for the picture.
  /// - Throws: ``VPXError/invalidSettings(code:)``.
  public init(mostPixels: Int = Self.defaultMostPixels) throws(VPXError) {
    unsafe context = try Self.open()
    self.mostPixels = mostPixels
  }

  deinit {
    _ = unsafe vpx_codec_destroy(context)
    unsafe context.deallocate()
  }

  private static func open() throws(VPXError) -> UnsafeMutablePointer<vpx_codec_ctx_t> {
    let context = UnsafeMutablePointer<vpx_codec_ctx_t>.allocate(capacity: 1)
    unsafe context.initialize(to: vpx_codec_ctx_t())
    let code = unsafe cvpx_decoder_init(context)
    guard code == VPX_CODEC_OK else {
      unsafe context.deallocate()
      throw .invalidSettings(code: Int32(code.rawValue))
    }
    return unsafe context
  }

  /// Decodes the next frame.
  ///
  /// - Returns: `nil` for a frame that the receiver must not show.
  /// - Throws: ``VPXError/undecodable(code:)`` or ``VPXError/tooLarge(width:height:)``. Even after
  ///   an error, the decoder accepts later frames.
  public mutating func decode(_ bytes: Span<UInt8>) throws(VPXError) -> I420Picture? {
    guard !bytes.isEmpty, let size = UInt32(exactly: bytes.count) else {
      throw .undecodable(code: Int32(VPX_CODEC_INVALID_PARAM.rawValue))
    }
    if let (width, height) = VP8Frame.keyFrameSize(of: bytes), width * height > mostPixels {
      throw .tooLarge(width: width, height: height)
    }
    let code = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe vpx_codec_decode(context, buffer.baseAddress, size, nil, 0)
    }
    guard code == VPX_CODEC_OK else { throw .undecodable(code: Int32(code.rawValue)) }
    var isCorrupt: Int32 = 0
    if unsafe cvpx_is_corrupted(context, &isCorrupt) == VPX_CODEC_OK, isCorrupt != 0 {
      throw .undecodable(code: Int32(VPX_CODEC_CORRUPT_FRAME.rawValue))
    }
    return takePicture()
  }

  private func takePicture() -> I420Picture? {
    var iterator: vpx_codec_iter_t?
    guard let image = unsafe vpx_codec_get_frame(context, &iterator) else { return nil }
    let (width, height) = unsafe (Int(image.pointee.d_w), Int(image.pointee.d_h))
    let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
    let planes = unsafe image.pointee.planes
    let strides = unsafe image.pointee.stride
    return unsafe I420Picture(
      width: width, height: height, y: Self.plane(planes.0, strides.0, width, height),
      u: Self.plane(planes.1, strides.1, chromaWidth, chromaHeight),
      v: Self.plane(planes.2, strides.2, chromaWidth, chromaHeight))
  }

  /// Returns a copy of a plane, without the margins that libvpx adds around pictures.
  @unsafe private static func plane(
    _ source: UnsafeMutablePointer<UInt8>?, _ stride: Int32, _ width: Int, _ height: Int
  ) -> I420Plane {
    guard let source = unsafe source else { return I420Plane([], stride: width) }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
      if let start = target.baseAddress {
        for row in 0..<height {
          unsafe (start + row * width).update(from: source + row * Int(stride), count: width)
        }
      }
      count = width * height
    }
    return I420Plane(bytes, stride: width)
  }
}
