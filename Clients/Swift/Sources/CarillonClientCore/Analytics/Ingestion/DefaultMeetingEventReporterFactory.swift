public import Foundation

/// Makes what sends the events of a session to a server.
public final class DefaultMeetingEventReporterFactory: NSObject, EventReporterFactory {
  private let ingestionConfiguration: IngestionConfiguration
  private let logger: any Logger

  /// - Parameters:
  ///   - ingestionConfiguration: Where events are sent, as whom and how many at a time.
  ///   - logger: Hears of events that could not be sent.
  public init(ingestionConfiguration: IngestionConfiguration, logger: any Logger) {
    self.ingestionConfiguration = ingestionConfiguration
    self.logger = logger
  }

  /// nil when the configuration is disabled or its URL is none of `http` or `https`, which is
  /// logged unless it is empty.
  public func createEventReporter() -> (any EventReporter)? {
    guard !ingestionConfiguration.disabled, !ingestionConfiguration.ingestionUrl.isEmpty else {
      return nil
    }
    let url = URL(string: ingestionConfiguration.ingestionUrl)
    guard let url, ["http", "https"].contains(url.scheme), url.host != nil else {
      logger.error(msg: "No events are sent: ingestionUrl is no http address.")
      return nil
    }
    return HTTPEventReporter(
      to: EventRequest(url: url, client: ingestionConfiguration.clientConfiguration),
      queue: EventQueue(
        flushSize: ingestionConfiguration.flushSize,
        retryCountLimit: ingestionConfiguration.retryCountLimit),
      flushIntervalMs: Int(clamping: ingestionConfiguration.flushIntervalMs),
      log: SessionLog(logger: logger))
  }
}
