import Testing
import VPX

struct VP8Tests {
  private func settings(_ width: Int, _ height: Int) -> VP8Encoder.Settings {
    VP8Encoder.Settings(width: width, height: height, bitsPerSecond: 400_000, framesPerSecond: 15)
  }

  @Test(arguments: [(320, 180), (161, 91), (16, 16), (2, 2)])
  func `a picture survives encoding and decoding`(width: Int, height: Int) throws {
    var encoder = try VP8Encoder(settings(width, height))
    var decoder = try VP8Decoder()
    for number in 0..<10 {
      let picture = try movingPicture(number, width: width, height: height)
      let frame = try #require(
        try encoder.encode(
          picture, timestamp: Int64(number) * 6000, duration: 6000, forcingKeyFrame: false))
      #expect(frame.isKeyFrame == (number == 0))
      let decoded = try #require(try decode(frame.bytes, with: &decoder))
      #expect((decoded.width, decoded.height) == (width, height))
      #expect(difference(decoded, picture) < 12)
    }
  }

  @Test
  func `the encoder makes a key frame on request, and the key frame contains the picture's size`()
    throws
  {
    var encoder = try VP8Encoder(settings(320, 180))
    for number in 0..<6 {
      let frame = try #require(
        try encoder.encode(
          movingPicture(number, width: 320, height: 180), timestamp: Int64(number) * 6000,
          duration: 6000, forcingKeyFrame: number == 4))
      #expect(frame.isKeyFrame == (number == 0 || number == 4))
      #expect(keyFrameSize(of: frame) == (frame.isKeyFrame ? [320, 180] : nil))
    }
  }

  @Test func `a lower bitrate gives smaller frames`() throws {
    var encoder = try VP8Encoder(settings(320, 180))
    var numbers = SeededNumbers(state: 1)
    func bytes(from first: Int) throws -> Int {
      var sum = 0
      for number in first..<first + 30 {
        let noise = (0..<320 * 180).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        let grey = I420Plane([UInt8](repeating: 128, count: 160 * 90), stride: 160)
        let picture = try #require(
          I420Picture(
            width: 320, height: 180, y: I420Plane(noise, stride: 320), u: grey, v: grey))
        let frame = try encoder.encode(
          picture, timestamp: Int64(number) * 6000, duration: 6000, forcingKeyFrame: false)
        if number >= first + 10 { sum += frame?.bytes.count ?? 0 }
      }
      return sum
    }
    try encoder.setBitsPerSecond(3_000_000)
    let many = try bytes(from: 0)
    try encoder.setBitsPerSecond(300_000)
    #expect(try bytes(from: 30) < many)
  }

  @Test(arguments: [200_000, 400_000])
  func `the encoder drops complex pictures to keep the bitrate`(cap: Int) throws {
    var settings = settings(320, 180)
    settings.bitsPerSecond = cap
    var encoder = try VP8Encoder(settings)
    var numbers = SeededNumbers(state: 2)
    var (bytes, frames) = (0, 0)
    for number in 0..<150 {
      let noise = (0..<320 * 180).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      let grey = I420Plane([UInt8](repeating: 128, count: 160 * 90), stride: 160)
      let picture = try #require(
        I420Picture(width: 320, height: 180, y: I420Plane(noise, stride: 320), u: grey, v: grey))
      let frame = try encoder.encode(
        picture, timestamp: Int64(number) * 6000, duration: 6000, forcingKeyFrame: false)
      bytes += frame?.bytes.count ?? 0
      frames += frame == nil ? 0 : 1
    }
    // The video lasts ten seconds. The first key frame uses the allowed burst of half a second.
    #expect(bytes * 8 <= cap * 11, "\(bytes * 8 / 10_000) kbit/s, \(frames) frames")
    #expect(frames >= 10)
  }

  @Test func `a picture of another size is refused`() throws {
    var encoder = try VP8Encoder(settings(320, 180))
    #expect(throws: VPXError.wrongSize(width: 318, height: 180)) {
      _ = try encoder.encode(
        movingPicture(0, width: 318, height: 180), timestamp: 0, duration: 1, forcingKeyFrame: false
      )
    }
  }

  @Test(arguments: [(0, 10), (10, 0), (16_384, 10), (-1, -1)])
  func `an encoder with an invalid size is refused`(width: Int, height: Int) {
    #expect(throws: VPXError.self) { _ = try VP8Encoder(settings(width, height)) }
  }

  @Test func `each pixel of a shrunk picture is a mean of the original pixels`() throws {
    let luma: [UInt8] = [0, 10, 20, 30, 10, 20, 30, 40]
    let chroma = I420Plane([100, 200], stride: 2)
    let picture = try #require(
      I420Picture(width: 4, height: 2, y: I420Plane(luma, stride: 4), u: chroma, v: chroma))
    let half = try #require(picture.shrunk(toWidth: 2, height: 1))
    #expect(half.y.bytes == [10, 30])
    #expect(half.u.bytes == [150])
    #expect(picture.shrunk(toWidth: 5, height: 2) == nil)
    #expect(picture.shrunk(toWidth: 0, height: 2) == nil)
  }

  @Test func `a plane that is too small for its picture is refused`() {
    let small = I420Plane([0, 0, 0], stride: 2)
    let one = I420Plane([0], stride: 1)
    #expect(I420Picture(width: 2, height: 2, y: small, u: one, v: one) == nil)
    #expect(I420Picture(width: 2, height: 1, y: small, u: one, v: one) != nil)
    let overflowing = I420Plane([0, 0, 0], stride: .max)
    #expect(I420Picture(width: 2, height: 3, y: overflowing, u: one, v: one) == nil)
  }
}
