public import Foundation

/// The audio of a WAV file, as 16-bit PCM.
public struct WAVFile: Sendable {
  /// The samples. The samples of two channels are interleaved.
  public let samples: [Int16]
  /// The number of channels, 1 or 2.
  public let channels: Int
  /// The sample rate of a channel, in Hz.
  public let hertz: Int

  /// Creates a file in memory. The samples of two channels are interleaved.
  public init(samples: [Int16], channels: Int, hertz: Int) {
    self.samples = samples
    self.channels = channels
    self.hertz = hertz
  }

  /// Reads a file.
  ///
  /// - Throws: ``WAVError``, or an error of the file system.
  public init(contentsOf url: URL) throws { try self.init(Data(contentsOf: url)) }

  /// Parses the bytes of a file.
  ///
  /// - Throws: ``WAVError``.
  public init(_ data: Data) throws(WAVError) {
    let bytes = [UInt8](data)
    guard bytes.count >= 12, bytes[0..<4].elementsEqual("RIFF".utf8),
      bytes[8..<12].elementsEqual("WAVE".utf8)
    else { throw .malformed }
    var format: (channels: Int, hertz: Int)?
    var offset = 12
    while offset + 8 <= bytes.count {
      let size = Self.number(bytes, offset + 4, 4)
      let start = offset + 8
      // An interrupted recorder leaves a size that is too large, or 0.
      let end = min(bytes.count, start + size)
      if bytes[offset..<offset + 4].elementsEqual("fmt ".utf8) {
        format = try Self.format(bytes, start, end)
      } else if bytes[offset..<offset + 4].elementsEqual("data".utf8) {
        guard let format else { throw .malformed }
        let count = (end - start) / (2 * format.channels) * format.channels
        let samples = (0..<count).map {
          Int16(truncatingIfNeeded: Self.number(bytes, start + 2 * $0, 2))
        }
        self.init(samples: samples, channels: format.channels, hertz: format.hertz)
        return
      }
      offset = start + size + size % 2
    }
    throw .malformed
  }

  private static func format(
    _ bytes: [UInt8], _ start: Int, _ end: Int
  ) throws(WAVError) -> (channels: Int, hertz: Int) {
    guard end - start >= 16 else { throw .malformed }
    let (format, channels) = (number(bytes, start, 2), number(bytes, start + 2, 2))
    let (hertz, bits) = (number(bytes, start + 4, 4), number(bytes, start + 14, 2))
    // 0xFFFE means that the actual format follows later in the header. With 16 bits, the actual
    // format is also PCM.
    guard format == 1 || format == 0xFFFE, bits == 16, (1...2).contains(channels),
      (8000...192_000).contains(hertz)
    else { throw .unsupported(format: format, bits: bits, channels: channels, hertz: hertz) }
    return (channels, hertz)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  /// Returns the header of a file with `dataBytes` bytes of samples.
  static func header(channels: Int, hertz: Int, dataBytes: Int) -> Data {
    var data = Data()
    func append(_ value: Int, _ count: Int) {
      for index in 0..<count { data.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    data.append(contentsOf: "RIFF".utf8)
    append(36 + dataBytes, 4)
    data.append(contentsOf: "WAVEfmt ".utf8)
    append(16, 4)
    append(1, 2)
    append(channels, 2)
    append(hertz, 4)
    append(hertz * channels * 2, 4)
    append(channels * 2, 2)
    append(16, 2)
    data.append(contentsOf: "data".utf8)
    append(dataBytes, 4)
    return data
  }

  /// The samples as one channel at 48 kHz, as sessions send them.
  public var monophonic: [Int16] {
    var mono = samples
    if channels == 2 {
      mono = stride(from: 0, to: samples.count - 1, by: 2).map { index in
        let sum = Int(samples[index]) + Int(samples[index + 1])
        return Int16(sum / 2)
      }
    }
    return Resampler(from: hertz, to: SampleRate.hertz)?.resample(mono) ?? mono
  }
}
