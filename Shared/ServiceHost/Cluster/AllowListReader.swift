public import Bus
public import Logging
internal import MeetingModel
public import ServiceLifecycle

/// A service that applies each change of the allow list to a ``KeyAdmission``, and periodically
/// logs refused peers.
public struct AllowListReader: Service {
  private let admission: KeyAdmission
  private let keys: KeyDirectory
  private let metrics: RefusedPeerMetrics
  private let logger: Logger

  /// The interval between checks of the file that contains the allow list.
  private static let interval = Duration.milliseconds(500)

  /// The minimum number of checks between two log lines about refused peers.
  private static let looksForEachLine = 20

  /// Creates a reader. Only ``run()`` reads the file.
  public init(
    _ admission: KeyAdmission, of keys: KeyDirectory, metrics: RefusedPeerMetrics, logger: Logger
  ) {
    (self.admission, self.keys) = (admission, keys)
    (self.metrics, self.logger) = (metrics, logger)
  }

  /// Reads the allow list and logs refused peers until somebody asks the process to stop.
  public func run() async { await cancelWhenGracefulShutdown { await keepReading() } }

  @concurrent private func keepReading() async {
    var read = keys.listStamp
    var isSettled = false
    var totals = metrics.totals
    var looks = 0
    repeat {
      // Another process may be writing the file. So this service reads a file only if the file has
      // not changed between two checks.
      let stamp = keys.listStamp
      if stamp != read {
        (read, isSettled) = (stamp, false)
      } else if !isSettled {
        isSettled = true
        takeList()
      }
      looks += 1
      if looks.isMultiple(of: Self.looksForEachLine) { logRefusals(since: &totals) }
    } while (try? await Task.sleep(for: Self.interval)) != nil
  }

  /// Reads the list. If the list is unreadable, admits no peer.
  private func takeList() {
    do {
      let list = try keys.list()
      admission.replace(with: list)
      metrics.setFaults(list.faults.count)
      guard !list.faults.isEmpty else { return }
      let lines = list.faults.prefix(10).map(String.init).joined(separator: ", ")
      logger.warning(
        "Ignoring unreadable lines of the list of allowed keys; correct or delete them",
        metadata: [
          LogMetadataKey.path: "\(keys.listPath)", LogMetadataKey.reason: "lines \(lines)",
        ])
    } catch {
      admission.close()
      metrics.setFaults(-1)
      logger.error(
        """
        The list of allowed keys is unreadable, so all connections over tcp are refused; correct \
        it
        """,
        metadata: [
          LogMetadataKey.path: "\(keys.listPath)", LogMetadataKey.error: "\(error.status.message)",
        ])
    }
  }

  private func logRefusals(since former: inout [PeerRefusalReason: UInt64]) {
    let totals = metrics.totals
    let news = PeerRefusalReason.allCases.compactMap { cause -> String? in
      let count = (totals[cause] ?? 0) - (former[cause] ?? 0)
      return count > 0 ? "\(cause.rawValue) \(count)" : nil
    }
    former = totals
    guard !news.isEmpty else { return }
    logger.info(
      "Refused connections over tcp",
      metadata: [LogMetadataKey.reason: "\(news.joined(separator: ", "))"])
  }
}
