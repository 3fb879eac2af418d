/// Draws the number of a picture into the picture, as a row of black and white blocks, and reads
/// the number from a picture. A receiver can read the number even after an encoder has encoded the
/// picture.
///
/// The row fills the whole width of the topmost twelfth of the picture. The row has two border
/// blocks, sixteen blocks of the number, highest bit first, four checksum blocks, and two border
/// blocks.
public enum FrameCounter {
  private static let dataBits = 16
  private static let checkBits = 4
  private static let blocks = 2 + dataBits + checkBits + 2
  private static let black: UInt8 = 16
  private static let white: UInt8 = 235

  /// The number of values that a picture can show. After the highest value, the count restarts at
  /// 0.
  public static let modulus = 1 << dataBits

  /// The minimum width, in pixels, of a picture that can contain the number.
  public static let leastWidth = blocks * 4

  /// The minimum height, in pixels, of a picture that can contain the number.
  public static let leastHeight = 48

  /// Draws a number into the luma plane of a picture.
  ///
  /// - Parameters:
  ///   - luma: `height` rows of `width` bytes.
  ///   - number: The number to draw, modulo ``modulus``.
  public static func draw(_ number: Int, into luma: inout [UInt8], width: Int, height: Int) {
    guard width >= leastWidth, height >= leastHeight, luma.count >= width * height else { return }
    let bits = bits(of: number)
    let row = (0..<width).map { bits[$0 * blocks / width] ? white : black }
    for index in 0..<(height / 12) {
      luma.replaceSubrange((index * width)..<((index + 1) * width), with: row)
    }
  }

  /// Reads the number from a picture.
  ///
  /// - Returns: `nil` if the picture has no number, or if the checksum in the picture does not
  ///   match the number.
  public static func read(_ buffer: any VideoFrameBuffer) -> Int? {
    guard let buffer = buffer as? VideoFrameI420Buffer else { return nil }
    let (width, height) = (buffer.width(), buffer.height())
    guard width >= leastWidth, height >= leastHeight else { return nil }
    var number = 0
    var bits: [Bool] = []
    for block in 0..<blocks {
      // The counter reads only the middle of the block, because the block's edges blur into the
      // neighboring blocks.
      let left = (4 * block + 1) * width / (4 * blocks)
      let right = max(left + 1, (4 * block + 3) * width / (4 * blocks))
      let (top, bottom) = (height / 48, height / 16)
      var sum = 0
      for row in top..<bottom {
        for column in left..<right { sum += Int(buffer.dataY[row * buffer.strideY + column]) }
      }
      bits.append(sum / ((bottom - top) * (right - left)) > 126)
    }
    for bit in bits[2..<(2 + dataBits)] { number = number << 1 | (bit ? 1 : 0) }
    return bits == Self.bits(of: number) ? number : nil
  }

  private static func bits(of number: Int) -> [Bool] {
    let number = number & (modulus - 1)
    let check = (number ^ number >> 4 ^ number >> 8 ^ number >> 12 ^ 0xA) & 0xF
    return [true, false]
      + (0..<dataBits).reversed().map { number >> $0 & 1 == 1 }
      + (0..<checkBits).reversed().map { check >> $0 & 1 == 1 } + [false, true]
  }
}
