internal import CarillonClientCore
internal import RTP

/// The measurements that the session makes about once a second.
extension ClientMediaSession {
  func tickSecond() {
    sendReports()
    measure()
    noteLoss()
  }

  private func measure() {
    let (now, totals) = (now, totals)
    defer { (lastTotals, lastMeasured) = (totals, now) }
    guard let lastMeasured, let delegate else { return }
    let figures = IntervalMetrics(
      from: lastTotals, to: totals, seconds: (now - lastMeasured) / .seconds(1),
      receivesAudio: receiver?.hasPackets == true, sendsVideo: !streams.isEmpty,
      receivesVideo: !received.isEmpty)
    var server = serverFigures
    if let known = uplink.bitsPerSecond, !streams.isEmpty {
      server.availableSendBitsPerSecond = Double(known)
    }
    delegate.mediaDidMeasure(
      figures.named(
        server, roundTripMs: roundTrip > 0 ? Double(roundTrip) / 1000 : nil,
        isContent: settings.isContent))
    guard settings.hasAudio else { return }
    let loss = max(figures.audioReceiveLossPercent ?? 0, serverFigures.audioSendLossPercent ?? 0)
    if health.take(lossPercent: loss) { delegate.mediaQualityDidChange(isPoor: health.isPoor) }
  }

  private func noteLoss() {
    // Only a session with audio reports a long loss of the connection. In a session without audio,
    // remote videos just freeze.
    guard settings.hasAudio, let unboundSince, !isLossReported, now - unboundSince >= Self.dropTime
    else { return }
    isLossReported = true
    delegate?.mediaConnectionDidChange(isLost: true)
  }

  // MARK: Totals

  private var totals: MediaTotals {
    var totals = goneTotals
    if let receiver { receiver.add(to: &totals) }
    for stream in streams { totals.videoSentBytes += stream.bytes }
    totals.videoSentFrames += streams.map(\.frames).max() ?? 0
    for video in received.values { video.receiver.add(to: &totals) }
    return totals
  }

  /// Adds the counts of ended streams to the totals.
  func count(_ gone: [VideoSendStream]) {
    for stream in gone { goneTotals.videoSentBytes += stream.bytes }
    goneTotals.videoSentFrames += gone.map(\.frames).max() ?? 0
  }

  func count(_ gone: RemoteVideoTrackReceiver) { gone.add(to: &goneTotals) }

  /// Adds the counts of the audio receiver to the totals. The session calls this method before the
  /// session replaces the receiver.
  func countGone() { receiver?.add(to: &goneTotals) }
}
