import Foundation

/// Returns the correlation of two sounds. The function first shifts the second sound to the
/// position at which the sounds match best. The result is 1 for the same sound at any volume.
func bestCorrelation(_ original: [Int16], _ heard: [Int16], step: Int = 8) -> Double {
  // The start of the sound may be missing, because the sender sent it before the receiver joined.
  let heard = [Int16](repeating: 0, count: 24_000) + heard
  // A coarse search uses only some of the samples and finds the shift. A fine search then finds the
  // correlation.
  func correlation(at shift: Int, stride thin: Int) -> Double {
    var (cross, left, right) = (0.0, 0.0, 0.0)
    for index in stride(from: 0, to: min(original.count, heard.count - shift), by: thin) {
      let (x, y) = (Double(original[index]), Double(heard[index + shift]))
      cross += x * y
      left += x * x
      right += y * y
    }
    return left > 0 && right > 0 ? cross / (left * right).squareRoot() : 0
  }
  // The search covers shifts up to one second, because the sound arrives within one second.
  let shifts = 0..<min(72_000, max(1, heard.count - original.count / 2))
  let coarse = shifts.lazy.filter { $0 % step == 0 }
    .map { ($0, correlation(at: $0, stride: 16)) }.max { $0.1 < $1.1 }
  guard let (around, _) = coarse else { return 0 }
  return (max(0, around - step)...(around + step)).map { correlation(at: $0, stride: 1) }.max() ?? 0
}

/// Returns the median correlation of pieces of 0.5 s. Each piece has its own shift: if a busy
/// machine plays one piece late, the machine also plays all later pieces late.
func likeness(of original: [Int16], _ heard: [Int16]) -> Double {
  let size = 24_000
  let pieces = stride(from: 0, through: original.count - size, by: size).map { start in
    bestCorrelation(
      Array(original[start..<start + size]), Array(heard[max(0, min(start, heard.count) - size)...])
    )
  }.sorted()
  return pieces.isEmpty ? 0 : pieces[pieces.count / 2]
}

/// Returns a sound like a voice: a tone whose pitch and loudness change all the time. Two copies of
/// the sound therefore match at only one shift.
func voice(seconds: Double) -> [Int16] {
  var phase = 0.0
  return (0..<Int(seconds * 48_000)).map { index in
    let time = Double(index) / 48_000
    let pitch = 180 + 90 * sine(0.7 * time) + 40 * sine(2.3 * time)
    phase += pitch / 48_000
    let loudness = 0.35 + 0.25 * sine(1.9 * time) + 0.15 * sine(5.1 * time)
    let tone = 0.6 * sine(phase) + 0.3 * sine(2 * phase) + 0.1 * sine(5 * phase)
    return Int16(9000 * loudness * tone)
  }
}

private func sine(_ turns: Double) -> Double { sin(2 * .pi * turns) }
