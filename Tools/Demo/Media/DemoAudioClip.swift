/// A piece of mono sound. The demo compares spoken words with recorded words.
struct DemoAudioClip: Hashable, Sendable {
  /// The samples. The amplitude 1 is full scale.
  var samples: [Float]

  /// The sample rate, in samples per second.
  var rate: Int

  init(_ samples: [Int16], rate: Int = 48_000) {
    self.samples = samples.map { Float($0) / 32_768 }
    self.rate = rate
  }

  private init(samples: [Float], rate: Int) { (self.samples, self.rate) = (samples, rate) }

  var seconds: Double { Double(samples.count) / Double(rate) }

  /// The root mean square; 0 for an empty sound.
  var loudness: Float {
    guard !samples.isEmpty else { return 0 }
    return (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
  }

  /// Returns a part of the sound, limited to the sound's bounds. Both arguments are in seconds.
  func part(from start: Double, for length: Double) -> DemoAudioClip {
    let lower = min(max(Int(start * Double(rate)), 0), samples.count)
    let upper = min(max(lower + Int(length * Double(rate)), lower), samples.count)
    return DemoAudioClip(samples: Array(samples[lower..<upper]), rate: rate)
  }

  /// Returns the sound at a lower sample rate. Each sample is the mean of `factor` samples. This
  /// result is precise enough to compare speech.
  func thinned(by factor: Int) -> DemoAudioClip {
    let count = samples.count / factor
    var thinned = [Float](repeating: 0, count: count)
    for index in 0..<count {
      var sum: Float = 0
      for offset in 0..<factor { sum += samples[index * factor + offset] }
      thinned[index] = sum / Float(factor)
    }
    return DemoAudioClip(samples: thinned, rate: rate / factor)
  }

  /// Returns the loudness over time, as `perSecond` values per second.
  func envelope(perSecond: Int) -> [Float] {
    let width = rate / perSecond
    return stride(from: 0, to: samples.count - width + 1, by: width).map { start in
      var sum: Float = 0
      for index in start..<start + width { sum += samples[index] * samples[index] }
      return (sum / Float(width)).squareRoot()
    }
  }

  /// The loudness of the pauses in speech: the 10th percentile of the loudness.
  var loudnessOfPauses: Float {
    let sorted = envelope(perSecond: 50).sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 10]
  }
}

/// The best match of a sound in a recording: the place of the match, and the correlation at this
/// place.
struct SoundMatch: Hashable, Sendable {
  /// The correlation, from -1 to 1. Sounds that differ only in loudness have the correlation 1.
  let correlation: Float

  /// The place in the recording at which the sound begins, in seconds.
  let offset: Double

  /// Searches a whole recording for a sound.
  ///
  /// The search first compares envelopes in steps of 10 ms. Then the search compares the samples
  /// around the best places.
  init(of sound: DemoAudioClip, in recording: DemoAudioClip) {
    let places = Self.likelyPlaces(of: sound, in: recording)
    let (original, heard) = (sound.thinned(by: Self.thinning), recording.thinned(by: Self.thinning))
    let reach = heard.rate / Self.envelopeRate * 2
    var best: (correlation: Float, lag: Int) = (-1, 0)
    for place in places {
      let middle = place * heard.rate / Self.envelopeRate
      for lag in max(middle - reach, 0)...(middle + reach) {
        let correlation = Self.correlation(original.samples, heard.samples, lag: lag)
        if correlation > best.correlation { best = (correlation, lag) }
      }
    }
    correlation = best.correlation
    offset = Double(best.lag) / Double(heard.rate)
  }

  /// Searches for a sound in which pieces may be missing or displaced because packets were late.
  ///
  /// The search compares each piece at its own best position near the expected position. The
  /// correlation is the median over the pieces, so half of the pieces may be damaged. A recording
  /// without the sound matches none of the pieces.
  init(ofPieces sound: DemoAudioClip, in recording: DemoAudioClip) {
    let whole = SoundMatch(of: sound, in: recording)
    let (length, reach) = (Self.pieceSeconds, Self.pieceReachSeconds)
    var correlations: [Float] = []
    for start in stride(from: 0, through: sound.seconds - length, by: length) {
      let piece = sound.part(from: start, for: length)
      guard piece.loudness > sound.loudness / 3 else { continue }
      let near = recording.part(from: whole.offset + start - reach, for: length + 2 * reach)
      correlations.append(SoundMatch(of: piece, in: near).correlation)
    }
    let sorted = correlations.sorted()
    let median = sorted.isEmpty ? whole.correlation : sorted[sorted.count / 2]
    (correlation, offset) = (max(whole.correlation, median), whole.offset)
  }

  private static let pieceSeconds = 0.5
  /// The maximum time by which a piece may be earlier or later than expected, in seconds.
  private static let pieceReachSeconds = 0.5

  private static let envelopeRate = 100
  private static let thinning = 12

  /// The number of places at which the search compares samples.
  private static let mostPlaces = 5

  private static func likelyPlaces(of sound: DemoAudioClip, in recording: DemoAudioClip) -> [Int] {
    let (original, heard) = (
      sound.envelope(perSecond: envelopeRate), recording.envelope(perSecond: envelopeRate)
    )
    guard heard.count > original.count else { return [0] }
    let ranked = (0...heard.count - original.count)
      .map { (lag: $0, correlation: correlation(original, heard, lag: $0)) }
      .sorted { $0.correlation > $1.correlation }
    return ranked.prefix(mostPlaces).map(\.lag)
  }

  /// Returns the correlation of a sound and a recording from `lag` on. Missing samples count as
  /// silence.
  private static func correlation(_ sound: [Float], _ recording: [Float], lag: Int) -> Float {
    let count = min(sound.count, recording.count - lag)
    guard count > 0 else { return 0 }
    var (product, first, second): (Float, Float, Float) = (0, 0, 0)
    let (sound, recording) = (sound.span, recording.span)
    for index in 0..<count {
      let (a, b) = (sound[index], recording[index + lag])
      product += a * b
      first += a * a
      second += b * b
    }
    for index in count..<sound.count { first += sound[index] * sound[index] }
    guard first > 0, second > 0 else { return 0 }
    return product / (first * second).squareRoot()
  }
}
