internal import CVPX

/// The rows of one plane, one byte per pixel.
public struct I420Plane: Sendable {
  /// The rows, from the top. Each row begins ``stride`` bytes after the row above it.
  public let bytes: [UInt8]

  /// The number of bytes from the start of one row to the start of the next row.
  public let stride: Int

  /// Creates a plane without checks. ``I420Picture`` checks that the plane contains its pixels.
  public init(_ bytes: [UInt8], stride: Int) {
    self.bytes = bytes
    self.stride = stride
  }

  /// Returns whether the plane has enough bytes for this size. The last row may end with its last
  /// pixel.
  func holds(width: Int, height: Int) -> Bool {
    let (before, overflows) = stride.multipliedReportingOverflow(by: height - 1)
    return stride >= width && stride <= Int(Int32.max) && !overflows
      && bytes.count - width >= before
  }

  /// Returns the plane in a smaller size. The caller, ``I420Picture``, has checked that the sizes
  /// are valid.
  func shrunk(
    from size: (width: Int, height: Int), to newSize: (width: Int, height: Int)
  ) -> I420Plane {
    let count = newSize.width * newSize.height
    let shrunk = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, written in
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe cvpx_shrink_plane(
          source.baseAddress, Int32(stride), Int32(size.width), Int32(size.height),
          target.baseAddress, Int32(newSize.width), Int32(newSize.height))
      }
      written = count
    }
    return I420Plane(shrunk, stride: newSize.width)
  }
}
