public import CarillonClient
import Dispatch
import Synchronization
import TestSupport

/// Pictures of noise. An encoder needs its whole bitrate for such pictures.
///
/// With strong noise, an encoder may exceed its bitrate at every quality. The encoder then drops
/// frames, and the Swift client sends smaller pictures some seconds later. With weak noise, the
/// encoder finds a quality that fits.
public struct NoisyPictures: Sendable {
  private let pictures: [VideoFrameI420Buffer]

  /// The strength of the noise: the maximum difference in brightness between pixels.
  public enum Strength: UInt8, Sendable {
    /// Up to 15 levels of brightness.
    case weak = 16
    /// Up to 63 levels of brightness.
    case strong = 4
  }

  /// Creates pictures.
  ///
  /// - Parameter count: The number of different pictures. After the last picture, the first picture
  ///   follows again.
  public init(width: Int, height: Int, count: Int, strength: Strength = .strong) {
    var numbers = SeededGenerator(seed: 17)
    let chroma = [UInt8](repeating: 128, count: width / 2 * height / 2)
    pictures = (0..<count).compactMap { number in
      var luma: [UInt8] = []
      luma.reserveCapacity(width * height + 8)
      while luma.count < width * height {
        let bits = numbers.next()
        for place in 0..<8 {
          luma.append(96 + UInt8(truncatingIfNeeded: bits >> (place * 8)) / strength.rawValue)
        }
      }
      FrameCounter.draw(number, into: &luma, width: width, height: height)
      return VideoFrameI420Buffer(
        width: width, height: height, dataY: luma, strideY: width, dataU: chroma,
        strideU: width / 2, dataV: chroma, strideV: width / 2)
    }
  }

  /// Returns the picture for the given number.
  public func picture(_ number: Int) -> VideoFrameI420Buffer? {
    pictures.isEmpty ? nil : pictures[number % pictures.count]
  }
}

/// A camera that films noise at 15 frames per second.
public final class NoisyCamera: VideoSource, Sendable {
  private let hint = Mutex(VideoContentHint.motion)
  private let pictures: NoisyPictures
  private let sinks = SinkList()
  private let ticker = FrameTicker()

  /// Creates a stopped camera.
  public init(_ pictures: NoisyPictures) { self.pictures = pictures }

  public var videoContentHint: VideoContentHint {
    get { hint.withLock { $0 } }
    set { hint.withLock { $0 = newValue } }
  }

  /// Starts filming.
  public func start() {
    ticker.start(framesPerSecond: 15) { [pictures, sinks] number in
      guard let buffer = pictures.picture(number) else { return }
      sinks.deliver(
        VideoFrame(
          timestampNs: Int64(DispatchTime.now().uptimeNanoseconds), rotation: .rotation0,
          buffer: buffer))
    }
  }

  /// Stops filming.
  public func stop() { ticker.stop() }

  public func addVideoSink(sink: any VideoSink) { sinks.add(sink) }

  public func removeVideoSink(sink: any VideoSink) { sinks.remove(sink) }
}
