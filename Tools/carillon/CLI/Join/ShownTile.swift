internal import CarillonClientCore
internal import Output

/// The pictures that one tile has shown so far.
struct ShownTile: Hashable, Sendable {
  let tileID: Int
  /// The id of the attendee who sends the video.
  let attendeeID: String
  private(set) var codec = VideoCodec.vp8
  /// The width in pixels, after rotation.
  private(set) var width = 0
  /// The height in pixels, after rotation.
  private(set) var height = 0
  /// The number of pictures.
  private(set) var frames = 0
  /// The number of pictures that contain a readable number.
  private(set) var numbered = 0
  /// The number in the last picture; `nil` if the picture has no readable number.
  private(set) var number: Int?
  /// The colour in the middle of the last picture, as `#rrggbb`; `nil` if the client does not
  /// decode the video.
  private(set) var colour: String?

  init(tileID: Int, attendeeID: String) {
    (self.tileID, self.attendeeID) = (tileID, attendeeID)
  }

  /// Adds a decoded picture.
  mutating func take(_ frame: VideoFrame) {
    let upright = frame.upright()
    codec = .vp8
    (width, height) = (upright.width, upright.height)
    frames += 1
    number = FrameCounter.read(upright.buffer)
    if number != nil { numbered += 1 }
    colour = (upright.buffer as? VideoFrameI420Buffer).map(Self.colour)
  }

  /// Adds an encoded frame. Ignores VP8, because the client also passes the decoded pictures.
  mutating func take(_ frame: EncodedFrame) {
    guard frame.codec == .h264 else { return }
    codec = .h264
    let isOnItsSide = frame.rotation == .rotation90 || frame.rotation == .rotation270
    (width, height) = isOnItsSide ? (frame.height, frame.width) : (frame.width, frame.height)
    frames += 1
    (number, colour) = (nil, nil)
  }

  /// The record that `carillon join --view` prints.
  var record: OutputRecord {
    [
      "event": "viewed", "tile_id": JSONValue(tileID), "attendee_id": .text(attendeeID),
      "codec": .text(codec.rawValue), "width": JSONValue(width), "height": JSONValue(height),
      "frames": JSONValue(frames), "numbered": JSONValue(numbered),
      "number": number.map { JSONValue($0) } ?? .null,
      "colour": colour.map { .text($0) } ?? .null,
    ]
  }

  // MARK: The colour

  /// Half the width and height of the area whose colour the tile shows, in pixels.
  private static let reach = 4

  private static func colour(of picture: VideoFrameI420Buffer) -> String {
    let (width, height) = (picture.width(), picture.height())
    let luma = mean(picture.dataY, picture.strideY, width, height)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    let blue = mean(picture.dataU, picture.strideU, halfWidth, halfHeight)
    let red = mean(picture.dataV, picture.strideV, halfWidth, halfHeight)
    // BT.601, which the client's cameras and browsers use for small pictures.
    let channels = [
      1.164 * (luma - 16) + 1.596 * (red - 128),
      1.164 * (luma - 16) - 0.392 * (blue - 128) - 0.813 * (red - 128),
      1.164 * (luma - 16) + 2.017 * (blue - 128),
    ]
    return "#" + channels.map(digits).joined()
  }

  /// Returns two hexadecimal digits of a value in the range 0-255.
  private static func digits(_ channel: Double) -> String {
    let digits = String(Int(min(max(channel, 0), 255).rounded()), radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }

  /// Returns the mean of the middle of a plane.
  private static func mean(_ plane: [UInt8], _ stride: Int, _ width: Int, _ height: Int) -> Double {
    var (sum, count) = (0, 0)
    for row in max(0, height / 2 - reach)..<min(height, height / 2 + reach) {
      for column in max(0, width / 2 - reach)..<min(width, width / 2 + reach) {
        sum += Int(plane[row * stride + column])
        count += 1
      }
    }
    return count > 0 ? Double(sum) / Double(count) : 0
  }
}
