import Foundation

/// A Y4M file with 8-bit 4:2:0 frames. The type reads frames on demand.
struct Y4MFile: Sendable {
  let width: Int
  let height: Int
  let framesPerSecond: Int
  private let data: Data
  private let frameStarts: [Int]

  var frameCount: Int { frameStarts.count }

  init(_ data: Data) throws(Y4MError) {
    guard let headerEnd = data.firstIndex(of: 0x0A), headerEnd - data.startIndex <= 1024 else {
      throw .malformed
    }
    let words = String(decoding: data[..<headerEnd], as: UTF8.self).split(separator: " ")
    guard words.first == "YUV4MPEG2" else { throw .malformed }
    func value(_ key: Character) -> Substring? {
      words.dropFirst().first { $0.first == key }?.dropFirst()
    }
    guard let width = value("W").flatMap({ Int($0) }), (1...4096).contains(width),
      let height = value("H").flatMap({ Int($0) }), (1...4096).contains(height)
    else { throw .malformed }
    let space = value("C").map(String.init) ?? "420"
    guard space.hasPrefix("420"), !space.hasPrefix("420p") || space == "420paldv" else {
      throw .unsupported(colourSpace: space)
    }
    (self.width, self.height) = (width, height)
    let rate = (value("F") ?? "25:1").split(separator: ":").compactMap { Int($0) }
    framesPerSecond =
      rate.count == 2 && rate[1] > 0
      ? min(max(Int((Double(rate[0]) / Double(rate[1])).rounded()), 1), 60) : 25
    self.data = data
    frameStarts = Self.starts(in: data, from: headerEnd + 1, bytes: Self.bytes(width, height))
    guard !frameStarts.isEmpty else { throw .empty }
  }

  private static func bytes(_ width: Int, _ height: Int) -> Int {
    width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
  }

  /// Returns the offsets at which the planes of each whole frame begin.
  private static func starts(in data: Data, from first: Int, bytes: Int) -> [Int] {
    var starts: [Int] = []
    var offset = first
    while offset < data.endIndex, data[offset...].starts(with: "FRAME".utf8),
      let end = data[offset...].firstIndex(of: 0x0A), data.endIndex - end - 1 >= bytes
    {
      starts.append(end + 1)
      offset = end + 1 + bytes
    }
    return starts
  }

  /// Returns a frame by its number, from 0. The number after the last frame's number means the
  /// first frame again.
  func picture(_ number: Int) -> VideoFrameI420Buffer? {
    let start = frameStarts[number % frameStarts.count]
    let (luma, half) = (width * height, (width + 1) / 2)
    let chroma = half * ((height + 1) / 2)
    func plane(_ offset: Int, _ count: Int) -> [UInt8] {
      [UInt8](data[(start + offset)..<(start + offset + count)])
    }
    return VideoFrameI420Buffer(
      width: width, height: height, dataY: plane(0, luma), strideY: width,
      dataU: plane(luma, chroma), strideU: half, dataV: plane(luma + chroma, chroma), strideV: half)
  }
}
