/// The pixels of a frame, in whatever form.
public protocol VideoFrameBuffer: AnyObject {
  /// In pixels, before rotation.
  func width() -> Int

  /// In pixels, before rotation.
  func height() -> Int
}
