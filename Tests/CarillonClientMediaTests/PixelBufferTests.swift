import Testing
import VPX

@testable import CarillonClientCore
@testable import CarillonClientMedia

struct PixelBufferTests {
  private final class Unknown: VideoFrameBuffer {
    func width() -> Int { 2 }
    func height() -> Int { 2 }
  }

  @Test
  func `packed pixels are converted to planes, and a buffer of unknown format yields no picture`()
    throws
  {
    let pixels = try #require(
      PixelBuffer(
        width: 4, height: 2, format: .bgra, bytes: [UInt8](repeating: 255, count: 32),
        bytesPerRow: 16))
    let picture = try #require(I420Picture(VideoFramePixelBuffer(pixelBuffer: pixels)))
    #expect((picture.width, picture.height) == (4, 2))
    #expect(picture.y.bytes == [UInt8](repeating: 235, count: 8))
    #expect(I420Picture(Unknown()) == nil)
  }
}
