internal import CVPX

/// The rows of one plane, one byte a pixel.
public struct I420Plane: Sendable {
  /// The rows, from the top; each begins ``stride`` bytes after the one above it.
  public let bytes: [UInt8]

  /// Bytes from one row to the next.
  public let stride: Int

  /// Takes rows as they are; ``I420Picture`` checks that they hold its pixels.
  public init(_ bytes: [UInt8], stride: Int) {
    self.bytes = bytes
    self.stride = stride
  }

  /// The last row may end with its last pixel.
  func holds(width: Int, height: Int) -> Bool {
    let (before, overflows) = stride.multipliedReportingOverflow(by: height - 1)
    return stride >= width && stride <= Int(Int32.max) && !overflows
      && bytes.count - width >= before
  }

  /// Both sizes fit: the picture has looked.
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
