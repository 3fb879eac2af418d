/// How good a trial was.
extension AdaptiveTrace {
  /// What a change for the worse may take before it counts.
  private static let adaptation = 3.0

  /// What sound takes on the link with all its headers, in kbit/s.
  private static let soundKbps = 50.0

  /// Measures the bars.
  public func result(seed: UInt64) -> AdaptiveResult {
    AdaptiveResult(
      profile: profile.name, seed: seed, adaptSeconds: rounded(adaptSeconds),
      recoverSeconds: recoverSeconds.map(rounded), longestGapSeconds: rounded(longestGap),
      frameShare: rounded(frameShare), audioGapMs: rounded(audioGap(settledOnly: true)),
      longestAudioGapMs: rounded(audioGap(settledOnly: false)),
      estimateError: rounded(estimateError), goodput: rounded(usedShare), queueMs: rounded(queueMs),
      fairness: fairness.map(rounded))
  }

  private func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

  /// The rate of the link at a time, if it is less than what is wanted.
  private func bottleneck(at time: Double) -> Double? {
    guard let kbps = link.last(where: { $0.at <= time })?.kbps, kbps < wantedKbps else {
      return nil
    }
    return kbps
  }

  /// What would pass if the link carried it.
  private var wantedKbps: Double {
    switch profile.subject {
    case .receiver: AdaptiveMeeting.wantedKbps
    case .twoReceivers: AdaptiveMeeting.wantedKbps * 2
    case .publisher: AdaptiveMeeting.publishedKbps
    }
  }

  // MARK: Adapting and recovering

  /// When the link became so much slower that something had to be given up.
  private var falls: [Double] {
    let rates = profile.rates
    return rates.indices.compactMap { index in
      let kbps = rates[index].kbps
      guard kbps > 0, kbps < wantedKbps else { return nil }
      let before = index == 0 ? 0 : rates[index - 1].kbps
      return before == 0 || before > kbps ? rates[index].at : nil
    }
  }

  /// The longest that it took after a fall until packets waited no longer than they may, and the
  /// pinned tile's frames came, for a second.
  private var adaptSeconds: Double {
    guard profile.isRamp != true, profile.wander == nil else { return 0 }
    return falls.map { fall in
      let end = profile.rates.first { $0.at > fall }?.at ?? profile.seconds
      let time = stride(from: fall, to: end, by: 0.1).first { moment in
        let window = link.filter { $0.at > moment && $0.at <= moment + 1 }
        let isShort = window.allSatisfy { $0.waitsMs.max() ?? 0 <= 250 }
        let shown = frames.filter { $0.at > moment && $0.at <= moment + 1 }
        return isShort && shown.count >= 10
      }
      return (time ?? end) - fall
    }.max() ?? 0
  }

  private var recoverSeconds: Double? {
    guard let last = profile.rates.last, last.kbps == 0, profile.rates.count > 1 else { return nil }
    let top = Double(AdaptiveMeeting.topWidth)
    let pinned = frames.first { $0.at > last.at && $0.value == top }?.at
    let others = minorFrames.map { $0.first { $0.at > last.at }?.at }
    let all = [pinned] + (profile.subject == .publisher ? [] : others)
    return (all.map { $0 ?? profile.seconds }.max() ?? profile.seconds) - last.at
  }

  /// Whether the link had become no worse for a while, so that what is seen then counts.
  private func isSettled(_ time: Double, after pause: Double = adaptation) -> Bool {
    !falls.contains { time >= $0 && time < $0 + pause }
      && !(profile.rates.contains { time >= $0.at && time < $0.at + pause })
  }

  // MARK: What was shown and heard

  private var longestGap: Double {
    let times = frames.map(\.at)
    let gaps = zip(times, times.dropFirst()).filter { isSettled($0) && isSettled($1) }
      .filter { gap in !pauses.contains { $0.overlaps(gap.0...gap.1) } }
      .map { $1 - $0 }
    return gaps.max() ?? profile.seconds
  }

  /// In seconds in which the pinned tile was said to move.
  private var frameShare: Double {
    let seconds = stride(from: 0.0, to: profile.seconds - 1, by: 1).filter { second in
      isSettled(second) && isSettled(second + 1)
        && !pauses.contains { $0.overlaps(second...second + 1) }
    }
    guard !seconds.isEmpty else { return 0 }
    let shown = seconds.map { second in
      frames.count { $0.at >= second && $0.at < second + 1 }
    }
    return Double(shown.reduce(0, +)) / (Double(seconds.count) * AdaptiveMeeting.framesPerSecond)
  }

  /// The longest time without a tone, in milliseconds.
  private func audioGap(settledOnly: Bool) -> Double {
    var (longest, quiet) = (0.0, 0.0)
    for sound in sounds {
      guard !settledOnly || isSettled(sound.at) else {
        quiet = 0
        continue
      }
      quiet = sound.value > 0 ? 0 : quiet + 20
      longest = max(longest, quiet)
    }
    return longest
  }

  // MARK: Estimate and link

  /// How far nine of ten estimates were off at most, as a share of what there was.
  private var estimateError: Double {
    let errors = shares.indices.flatMap(estimateErrors(of:)).sorted()
    return errors.isEmpty ? 0 : errors[min(errors.count - 1, errors.count * 9 / 10)]
  }

  /// How far each estimate of a client was off. Where two share a link, each could have what the
  /// other leaves: what neither uses is there for both of them.
  private func estimateErrors(of client: Int) -> [Double] {
    shares[client].estimates.compactMap { point in
      guard isSettled(point.at, after: 5), point.at > 5, bottleneck(at: point.at) != nil else {
        return nil
      }
      // An estimate is of the second before.
      let left = [point.at, point.at - 1].map { time in
        let kbps = bottleneck(at: time) ?? bottleneck(at: point.at) ?? 0
        let others = shares.indices.filter { $0 != client }
          .map { Self.value(of: shares[$0].goodput, at: time) ?? 0 }
        let sound = Self.soundKbps * Double(shares.count)
        return max(kbps - sound - others.reduce(0, +), 1)
      }
      return left.map { abs(point.value - $0) / $0 }.min()
    }
  }

  /// What the one who got least of a shared link got, as a share of what the one with most got.
  private var fairness: Double? {
    guard shares.count > 1 else { return nil }
    let sums = shares.map { share in
      share.goodput.filter {
        $0.at > 5 && isSettled($0.at, after: 5) && bottleneck(at: $0.at) != nil
      }
      .map(\.value).reduce(0, +)
    }
    guard let least = sums.min(), let most = sums.max(), most > 0 else { return nil }
    return least / most
  }

  /// Of what the link could carry, without the first seconds after it changed.
  private var usedShare: Double {
    var (carried, possible) = (0.0, 0.0)
    for point in goodput where point.at > 5 && isSettled(point.at, after: 5) {
      guard let kbps = bottleneck(at: point.at) else { continue }
      carried += point.value + Self.soundKbps * Double(shares.count)
      possible += kbps
    }
    return possible > 0 ? carried / possible : 1
  }

  private var queueMs: Double {
    let waits = link.flatMap(\.waitsMs).sorted()
    return waits.isEmpty ? 0 : waits[min(waits.count - 1, waits.count * 95 / 100)]
  }
}
