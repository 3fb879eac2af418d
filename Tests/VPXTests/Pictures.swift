import Foundation
import VPX

/// Returns a picture that moves a little with each number: a gradient with a bright square.
func movingPicture(_ number: Int, width: Int, height: Int) throws -> I420Picture {
  var luma = [UInt8](repeating: 0, count: width * height)
  let side = max(4, height / 6)
  let left = (number * 4) % max(1, width - side)
  for row in 0..<height {
    for column in 0..<width {
      let isSquare = (left..<left + side).contains(column) && (side..<2 * side).contains(row)
      luma[row * width + column] =
        isSquare ? 235 : UInt8(40 + (row + column) * 120 / (width + height))
    }
  }
  let half = ((width + 1) / 2, (height + 1) / 2)
  let chroma = I420Plane([UInt8](repeating: 128, count: half.0 * half.1), stride: half.0)
  guard
    let picture = I420Picture(
      width: width, height: height, y: I420Plane(luma, stride: width), u: chroma, v: chroma)
  else { throw CocoaError(.coderInvalidValue) }
  return picture
}

/// Returns the mean difference in brightness between two pictures of the same size.
func difference(_ left: I420Picture, _ right: I420Picture) -> Double {
  var sum = 0
  for row in 0..<left.height {
    for column in 0..<left.width {
      let a = Int(left.y.bytes[row * left.y.stride + column])
      let b = Int(right.y.bytes[row * right.y.stride + column])
      sum += abs(a - b)
    }
  }
  return Double(sum) / Double(left.width * left.height)
}

/// A generator that returns the same numbers for the same seed.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Decodes an array. The macros of tests do not accept spans.
func decode(_ bytes: [UInt8], with decoder: inout VP8Decoder) throws -> I420Picture? {
  try decoder.decode(bytes.span)
}

func keyFrameSize(of frame: VP8Frame) -> [Int]? {
  VP8Frame.keyFrameSize(of: frame.bytes.span).map { [$0.width, $0.height] }
}
