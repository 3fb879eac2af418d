public import Foundation
import Synchronization

/// The controller that publishes events to observers and to the reporter, and keeps the history.
///
/// The controller adds the attributes of the time, the process and the machine to each event.
///
/// `@unchecked Sendable` only because of the reporter and the monitor. The controller sets both
/// once. Both accept calls from any thread.
public final class DefaultEventAnalyticsController: NSObject, EventAnalyticsController,
  @unchecked Sendable
{
  private let configuration: MeetingSessionConfiguration
  private let statistics: MeetingStatisticsCollector
  private let appStateMonitor: any AppStateMonitor
  private let reporter: (any EventReporter)?
  private let wallClockMs: @Sendable () -> Int64
  private let observers = ObserverRegistry<any EventAnalyticsObserver>()
  private let history = Mutex<[MeetingHistoryEvent]>([])

  init(
    configuration: MeetingSessionConfiguration, statistics: MeetingStatisticsCollector,
    environment: SessionDependencies, reporter: (any EventReporter)?
  ) {
    self.configuration = configuration
    self.statistics = statistics
    self.reporter = reporter
    appStateMonitor = environment.appStateMonitor
    wallClockMs = environment.wallClockMs
    super.init()
    appStateMonitor.delegate = self
  }

  public func publishEvent(name: EventName) {
    publishEvent(name: name, attributes: [:])
  }

  public func publishEvent(name: EventName, attributes: [AnyHashable: Any]) {
    publishEvent(name: name, attributes: attributes, notifyObservers: true)
  }

  public func publishEvent(
    name: EventName, attributes: [AnyHashable: Any], notifyObservers: Bool
  ) {
    let timestampMs = append(MeetingHistoryEventName(name))
    var all = attributes
    for (key, value) in statistics.attributes(for: name) { all[key] = value }
    for (key, value) in appAttributes(at: timestampMs) { all[key] = value }
    reporter?.report(event: SDKEvent(eventName: name, eventAttributes: all))
    guard notifyObservers else { return }
    let posted = MainQueueBox(value: all)
    observers.post { $0.eventDidReceive(name: name, attributes: posted.value) }
  }

  public func pushHistory(historyEventName: MeetingHistoryEventName) {
    let timestampMs = append(historyEventName)
    reporter?.report(
      event: SDKEvent(
        meetingHistoryEventName: historyEventName,
        eventAttributes: appAttributes(at: timestampMs)))
  }

  public func addEventAnalyticsObserver(observer: any EventAnalyticsObserver) {
    observers.add(observer)
  }

  public func removeEventAnalyticsObserver(observer: any EventAnalyticsObserver) {
    observers.remove(observer)
  }

  public func getMeetingHistory() -> [MeetingHistoryEvent] {
    history.withLock { $0 }
  }

  public func getCommonEventAttributes() -> [AnyHashable: Any] {
    let machine = ClientMachineDescription.current
    let credentials = configuration.credentials
    var attributes: [EventAttributeName: String] = [
      .deviceName: "\(machine.manufacturer) \(machine.model)",
      .deviceManufacturer: machine.manufacturer,
      .deviceModel: machine.model,
      .osName: machine.osName,
      .osVersion: machine.osVersion,
      .sdkName: Versioning.sdkName,
      .sdkVersion: Versioning.sdkVersion(),
      .mediaSdkVersion: Versioning.sdkVersion(),
      .meetingId: configuration.meetingId,
      .attendeeId: credentials.attendeeId,
      .externalUserId: credentials.externalUserId,
    ]
    attributes[.externalMeetingId] = configuration.externalMeetingId
    return Dictionary(
      uniqueKeysWithValues: attributes.map { (AnyHashable($0.key.description), $0.value) })
  }

  /// Adds an event to the history, and returns the time of the event in milliseconds since 1970.
  private func append(_ name: MeetingHistoryEventName) -> Int64 {
    let timestampMs = wallClockMs()
    let event = MeetingHistoryEvent(meetingHistoryEventName: name, timestampMs: timestampMs)
    history.withLock { $0.append(event) }
    return timestampMs
  }

  private func appAttributes(at timestampMs: Int64) -> [EventAttributeName: Any] {
    var attributes: [EventAttributeName: Any] = [
      .timestampMs: timestampMs,
      .appState: appStateMonitor.appState.description,
      .batteryState: appStateMonitor.getBatteryState().description,
      .lowPowerModeEnabled: appStateMonitor.isLowPowerModeEnabled(),
      .networkConnectionType: appStateMonitor.getNetworkConnectionType().description,
    ]
    attributes[.batteryLevel] = appStateMonitor.getBatteryLevel()
    return attributes
  }
}

extension DefaultEventAnalyticsController: AppStateMonitorDelegate {
  public func appStateDidChange(monitor: any AppStateMonitor, newAppState: AppState) {
    publishEvent(
      name: .appStateChanged, attributes: [EventAttributeName.appState: newAppState.description],
      notifyObservers: false)
  }

  public func didReceiveMemoryWarning(monitor: any AppStateMonitor) {
    publishEvent(name: .appMemoryLow, attributes: [:], notifyObservers: false)
  }

  public func networkConnectionTypeDidChange(
    monitor: any AppStateMonitor, newNetworkConnectionType: NetworkConnectionType
  ) {
    publishEvent(
      name: .networkConnectionTypeChanged,
      attributes: [
        EventAttributeName.networkConnectionType: newNetworkConnectionType.description
      ], notifyObservers: false)
  }
}
