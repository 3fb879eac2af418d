internal import CVPX

/// A VP8 encoder for pictures of one size. The encoder is for conversations, so no frame waits for
/// a later frame.
///
/// Only one thread uses an encoder at a time.
@safe public struct VP8Encoder: ~Copyable {
  /// The settings of an encoder.
  public struct Settings: Hashable, Sendable {
    /// The width in pixels, 1-16,383.
    public var width: Int
    /// The height in pixels, 1-16,383.
    public var height: Int
    /// The target bitrate, in bit/s.
    public var bitsPerSecond: Int
    /// The expected frame rate, per second. Frames may arrive at another rate.
    public var framesPerSecond: Int
    /// Whether the pictures show a screen, which has sharp edges and changes little.
    public var isScreen: Bool
    /// Whether the encoder drops a picture that would exceed the bitrate; if not, the encoder
    /// encodes every picture.
    public var leavesOutFrames = true

    /// Makes settings. The initialiser of the encoder checks the settings.
    public init(
      width: Int, height: Int, bitsPerSecond: Int, framesPerSecond: Int, isScreen: Bool = false
    ) {
      self.width = width
      self.height = height
      self.bitsPerSecond = bitsPerSecond
      self.framesPerSecond = framesPerSecond
      self.isScreen = isScreen
    }
  }

  /// The width of every picture, in pixels.
  public let width: Int

  /// The height of every picture, in pixels.
  public let height: Int

  private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
  private var configuration: vpx_codec_enc_cfg_t

  /// The number of timestamp ticks per second in ``encode(_:timestamp:duration:forcingKeyFrame:)``.
  public static let clockRate = 90_000

  /// - Throws: ``VPXError/invalidSettings(code:)``.
  public init(_ settings: Settings) throws(VPXError) {
    var configuration = unsafe vpx_codec_enc_cfg_t()
    guard (1...16_383).contains(settings.width), (1...16_383).contains(settings.height),
      unsafe vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &configuration, 0) == VPX_CODEC_OK
    else { throw .invalidSettings(code: Int32(VPX_CODEC_INVALID_PARAM.rawValue)) }
    unsafe Self.configure(&configuration, settings)
    // The call that may throw comes before the assignment of the last property, because Swift
    // cannot destroy a partly initialised noncopyable value.
    unsafe context = try Self.open(&configuration, settings)
    unsafe self.configuration = unsafe configuration
    (width, height) = (settings.width, settings.height)
  }

  deinit {
    _ = unsafe vpx_codec_destroy(context)
    unsafe context.deallocate()
  }

  private static func configure(_ configuration: inout vpx_codec_enc_cfg_t, _ settings: Settings) {
    unsafe configuration.g_w = UInt32(settings.width)
    unsafe configuration.g_h = UInt32(settings.height)
    unsafe configuration.g_timebase = vpx_rational(num: 1, den: Int32(clockRate))
    unsafe configuration.g_threads = 1
    unsafe configuration.g_lag_in_frames = 0
    unsafe configuration.g_error_resilient = 0
    unsafe configuration.rc_end_usage = VPX_CBR
    unsafe configuration.rc_target_bitrate = kilobits(settings.bitsPerSecond)
    unsafe configuration.rc_min_quantizer = 2
    unsafe configuration.rc_max_quantizer = 63
    unsafe configuration.rc_undershoot_pct = 100
    unsafe configuration.rc_overshoot_pct = 15
    unsafe configuration.rc_buf_sz = 1000
    unsafe configuration.rc_buf_initial_sz = 500
    unsafe configuration.rc_buf_optimal_sz = 600
    // The encoder drops a picture that it cannot make small enough, because the picture would
    // arrive late.
    unsafe configuration.rc_dropframe_thresh = settings.leavesOutFrames ? 30 : 0
    // The encoder encodes key frames only on request.
    unsafe configuration.kf_mode = VPX_KF_DISABLED
  }

  private static func open(
    _ configuration: inout vpx_codec_enc_cfg_t, _ settings: Settings
  ) throws(VPXError) -> UnsafeMutablePointer<vpx_codec_ctx_t> {
    let context = UnsafeMutablePointer<vpx_codec_ctx_t>.allocate(capacity: 1)
    unsafe context.initialize(to: vpx_codec_ctx_t())
    let code = unsafe cvpx_encoder_init(context, &configuration)
    guard code == VPX_CODEC_OK else {
      unsafe context.deallocate()
      throw .invalidSettings(code: Int32(code.rawValue))
    }
    // The maximum size of a key frame, in per cent of an average frame. From 10 frames per second
    // on, a key frame of this size has as many bits as the frames of 0.3 s. These 0.3 s are half of
    // the optimal level of the buffer.
    let largestKeyFrame = max(300, 600 * settings.framesPerSecond / 20)
    for (control, value) in [
      // With a negative speed, the encoder does not adapt to the load of the machine.
      (VP8E_SET_CPUUSED, -8), (VP8E_SET_STATIC_THRESHOLD, settings.isScreen ? 100 : 1),
      (VP8E_SET_MAX_INTRA_BITRATE_PCT, largestKeyFrame),
      (VP8E_SET_SCREEN_CONTENT_MODE, settings.isScreen ? 1 : 0),
    ] {
      let code = unsafe cvpx_control(context, Int32(control.rawValue), Int32(value))
      guard code == VPX_CODEC_OK else {
        _ = unsafe vpx_codec_destroy(context)
        unsafe context.deallocate()
        throw .invalidSettings(code: Int32(code.rawValue))
      }
    }
    return unsafe context
  }

  private static func kilobits(_ bitsPerSecond: Int) -> UInt32 {
    UInt32(clamping: max(1, bitsPerSecond / 1000))
  }

  /// Changes the bitrate for the following frames.
  ///
  /// - Throws: ``VPXError/invalidSettings(code:)``.
  public mutating func setBitsPerSecond(_ bitsPerSecond: Int) throws(VPXError) {
    unsafe configuration.rc_target_bitrate = Self.kilobits(bitsPerSecond)
    let code = unsafe vpx_codec_enc_config_set(context, &configuration)
    guard code == VPX_CODEC_OK else { throw .invalidSettings(code: Int32(code.rawValue)) }
  }

  /// Encodes the next picture, or drops the picture to keep the bitrate.
  ///
  /// - Parameters:
  ///   - timestamp: The time in units of ``clockRate``. The time rises with each picture.
  ///   - duration: The expected time until the next picture, in units of ``clockRate``.
  ///
  /// - Returns: `nil` if the encoder drops the picture.
  /// - Throws: ``VPXError/wrongSize(width:height:)`` or ``VPXError/encodingFailed(code:)``.
  public mutating func encode(
    _ picture: I420Picture, timestamp: Int64, duration: Int, forcingKeyFrame: Bool
  ) throws(VPXError) -> VP8Frame? {
    guard picture.width == width, picture.height == height else {
      throw .wrongSize(width: picture.width, height: picture.height)
    }
    let code = unsafe Self.withImage(of: picture) { image in
      unsafe vpx_codec_encode(
        context, image, timestamp, UInt(max(1, duration)),
        forcingKeyFrame ? cvpx_force_key_frame() : 0, UInt(VPX_DL_REALTIME))
    }
    guard code == VPX_CODEC_OK else { throw .encodingFailed(code: Int32(code.rawValue)) }
    return takeFrame()
  }

  private func takeFrame() -> VP8Frame? {
    var iterator: vpx_codec_iter_t?
    while let packet = unsafe vpx_codec_get_cx_data(context, &iterator) {
      guard unsafe packet.pointee.kind == VPX_CODEC_CX_FRAME_PKT else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(
        start: cvpx_frame_bytes(packet), count: cvpx_frame_size(packet))
      return VP8Frame(
        bytes: unsafe [UInt8](bytes), isKeyFrame: unsafe cvpx_frame_is_key(packet) != 0)
    }
    return nil
  }

  /// Passes the planes to libvpx without a copy. libvpx only reads the planes.
  @unsafe private static func withImage<Result>(
    of picture: I420Picture, _ body: (UnsafePointer<vpx_image_t>) -> Result
  ) -> Result {
    unsafe picture.y.bytes.withUnsafeBufferPointer { y in
      unsafe picture.u.bytes.withUnsafeBufferPointer { u in
        unsafe picture.v.bytes.withUnsafeBufferPointer { v in
          var image = unsafe vpx_image_t()
          unsafe image.fmt = VPX_IMG_FMT_I420
          unsafe image.bps = 12
          unsafe image.bit_depth = 8
          unsafe (image.w, image.h) = (UInt32(picture.width), UInt32(picture.height))
          unsafe (image.d_w, image.d_h) = unsafe (image.w, image.h)
          unsafe (image.x_chroma_shift, image.y_chroma_shift) = (1, 1)
          unsafe image.planes.0 = unsafe UnsafeMutablePointer(mutating: y.baseAddress)
          unsafe image.planes.1 = unsafe UnsafeMutablePointer(mutating: u.baseAddress)
          unsafe image.planes.2 = unsafe UnsafeMutablePointer(mutating: v.baseAddress)
          unsafe image.stride.0 = Int32(picture.y.stride)
          unsafe image.stride.1 = Int32(picture.u.stride)
          unsafe image.stride.2 = Int32(picture.v.stride)
          return unsafe body(&image)
        }
      }
    }
  }
}
