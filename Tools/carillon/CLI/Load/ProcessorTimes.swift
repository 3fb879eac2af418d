internal import LocalInstallation
internal import Output

/// The processor time that the instances of an installation have had, as their own metrics say it:
/// an instance may run in another container, or on another host.
struct ProcessorTimes: Sendable {
  private let readings: [String: MetricsReading]
  private let readAt: ContinuousClock.Instant

  init(_ readings: [String: MetricsReading], at time: ContinuousClock.Instant) {
    (self.readings, readAt) = (readings, time)
  }

  /// Asks all instances; those that do not answer are left out.
  static func read(_ metrics: InstanceMetrics) async -> ProcessorTimes {
    let readings = await metrics.readings(within: .seconds(2))
    return ProcessorTimes(
      readings.reduce(into: [:]) { $0[$1.instance] = $1.reading }, at: .now)
  }

  /// How much of a core each instance had since an earlier reading, in hundredths; `null` of one
  /// that did not say it both times, or was started meanwhile.
  ///
  /// - Parameter known: Instances that are named in any case.
  func usage(since before: ProcessorTimes, known: [String]) -> [Record] {
    let seconds = (readAt - before.readAt) / .seconds(1)
    return Set(known).union(readings.keys).sorted().map { instance in
      let load = InstanceLoad(
        of: instance, now: readings[instance], before: before.readings[instance], seconds: seconds)
      return [
        "instance": .text(instance), "cpu_percent": load.record["cpu_percent"] ?? .null,
      ]
    }
  }
}
