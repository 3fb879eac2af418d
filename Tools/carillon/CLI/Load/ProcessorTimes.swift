internal import LocalInstallation
internal import Output

/// The processor times that an installation's instances report in their own metrics.
///
/// An instance may run in another container, or on another host.
struct ProcessorTimes: Sendable {
  private let readings: [String: MetricsReading]
  private let readAt: ContinuousClock.Instant

  init(_ readings: [String: MetricsReading], at time: ContinuousClock.Instant) {
    (self.readings, readAt) = (readings, time)
  }

  /// Reads the metrics of all instances. The result omits instances that do not answer.
  static func read(_ metrics: InstanceMetricsReader) async -> ProcessorTimes {
    let readings = await metrics.readings(within: .seconds(2))
    return ProcessorTimes(
      readings.reduce(into: [:]) { $0[$1.instance] = $1.reading }, at: .now)
  }

  /// Returns each instance's processor time since an earlier reading, in hundredths of a core.
  ///
  /// The value is `null` for an instance whose processor time is missing in one of the readings, or
  /// that restarted between the readings.
  ///
  /// - Parameter known: Instances to list even if they report no processor time.
  func usage(since before: ProcessorTimes, known: [String]) -> [OutputRecord] {
    let seconds = (readAt - before.readAt) / .seconds(1)
    return Set(known).union(readings.keys).sorted().map { instance in
      let load = InstanceUtilization(
        of: instance, now: readings[instance], before: before.readings[instance], seconds: seconds)
      return [
        "instance": .text(instance), "cpu_percent": load.record["cpu_percent"] ?? .null,
      ]
    }
  }
}
