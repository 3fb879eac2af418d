import Foundation
import Opus
import RTP

@testable import Media

/// The packets of one attendee, encoded from a script. The script is encoded once for all rooms
/// that play the recording.
struct TalkRecording {
  private(set) var script: TalkScript
  /// The Opus packet of each tick; `nil` for a tick without a packet.
  let packets: [[UInt8]?]
  /// The power of the sound in each tick; full scale is 1.
  let powers: [Double]

  /// - Parameter ticks: The total length, in packets.
  init(_ script: TalkScript, ticks: Int) throws {
    self.script = script
    var encoder = try OpusEncoder(OpusSettings())
    var packets: [[UInt8]?] = []
    var powers: [Double] = []
    for tick in 0..<ticks {
      let isSent = script.sendsSilence || script.speaks(in: tick)
      let frame = isSent ? script.frame(tick) : []
      packets.append(isSent ? try Self.encode(frame, &encoder) : nil)
      powers.append(Self.power(of: frame))
    }
    (self.packets, self.powers) = (packets, powers)
  }

  /// Returns this recording without packet loss.
  func withoutLoss() -> TalkRecording {
    var copy = self
    copy.script.lost = []
    return copy
  }

  /// Returns the level in the packet of a tick.
  func label(_ tick: Int) -> AudioLevel {
    let loudness = Loudness(decibels: Float(127 + 10 * log10(max(powers[tick], 1e-13))))
    return AudioLevel(attenuation: loudness.attenuation, isSpeech: powers[tick] > 0)
  }

  /// Returns the power of a frame; full scale is 1. The loop is plain because debug builds are
  /// slow.
  static func power(of frame: [Int16]) -> Double {
    guard !frame.isEmpty else { return 0 }
    let energy = frame.withUnsafeBufferPointer { samples in
      var (energy, index) = (0, 0)
      while index < samples.count {
        energy &+= Int(samples[index]) &* Int(samples[index])
        index &+= 1
      }
      return energy
    }
    return Double(energy) / Double(frame.count) / (32_768 * 32_768)
  }

  private static func encode(_ frame: [Int16], _ encoder: inout OpusEncoder) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1_275)
    var room = bytes.mutableSpan
    let count = try encoder.encode(frame.span, into: &room)
    return Array(bytes.prefix(count))
  }
}
