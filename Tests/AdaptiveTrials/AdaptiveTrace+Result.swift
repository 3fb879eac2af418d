/// The measurements of a trial.
extension AdaptiveTrace {
  /// The time after a change of the rate in which measurements do not count, in seconds.
  private static let adaptation = 3.0

  /// The bitrate of sound on the link including all headers, in kbit/s.
  private static let soundKbps = 50.0

  /// Returns the measurements of the trial.
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

  /// Returns the rate of the link at a given time, in kbit/s; `nil` if the rate is enough for all
  /// media.
  private func bottleneck(at time: Double) -> Double? {
    guard let kbps = link.last(where: { $0.at <= time })?.kbps, kbps < wantedKbps else {
      return nil
    }
    return kbps
  }

  /// The rate that the clients of the link use if the link has no limit, in kbit/s.
  private var wantedKbps: Double {
    switch profile.subject {
    case .receiver: AdaptiveMeeting.wantedKbps
    case .twoReceivers: AdaptiveMeeting.wantedKbps * 2
    case .publisher: AdaptiveMeeting.publishedKbps
    }
  }

  // MARK: Adapting and recovering

  /// The times at which the link's rate dropped to a value below ``wantedKbps``.
  private var falls: [Double] {
    let rates = profile.rates
    return rates.indices.compactMap { index in
      let kbps = rates[index].kbps
      guard kbps > 0, kbps < wantedKbps else { return nil }
      let before = index == 0 ? 0 : rates[index - 1].kbps
      return before == 0 || before > kbps ? rates[index].at : nil
    }
  }

  /// The longest time from a drop of the rate to the start of the first second in which packets
  /// wait at most 250 ms and the pinned tile gets at least 10 frames. The value is 0 for profiles
  /// whose rate changes continuously.
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

  /// Returns whether the rate has been constant for `pause` seconds, so that measurements count.
  private func isSettled(_ time: Double, after pause: Double = adaptation) -> Bool {
    !falls.contains { time >= $0 && time < $0 + pause }
      && !(profile.rates.contains { time >= $0.at && time < $0.at + pause })
  }

  // MARK: Frames and sound

  private var longestGap: Double {
    let times = frames.map(\.at)
    let gaps = zip(times, times.dropFirst()).filter { isSettled($0) && isSettled($1) }
      .filter { gap in !pauses.contains { $0.overlaps(gap.0...gap.1) } }
      .map { $1 - $0 }
    return gaps.max() ?? profile.seconds
  }

  /// The share of frames that the client showed. Seconds in which the pinned tile was paused do not
  /// count.
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

  /// Returns the longest time without a tone, in milliseconds.
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

  /// The 90th percentile of the relative errors of all estimates.
  private var estimateError: Double {
    let errors = shares.indices.flatMap(estimateErrors(of:)).sorted()
    return errors.isEmpty ? 0 : errors[min(errors.count - 1, errors.count * 9 / 10)]
  }

  /// Returns the relative error of each estimate of a client.
  ///
  /// The correct estimate is the rate of the link, minus the sound and minus the goodput of the
  /// other client. So each client's correct estimate includes the capacity that neither client
  /// uses.
  private func estimateErrors(of client: Int) -> [Double] {
    shares[client].estimates.compactMap { point in
      guard isSettled(point.at, after: 5), point.at > 5, bottleneck(at: point.at) != nil else {
        return nil
      }
      // An estimate describes the second before the time of the estimate.
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

  /// The lowest goodput of a client as a share of the highest goodput of a client; `nil` if the
  /// link is not shared.
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

  /// The share of the link's capacity that the packets used. The first 5 s after each change do not
  /// count.
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
