public import Foundation

/// A factory of reporters that send the events of a session to a server.
public final class DefaultMeetingEventReporterFactory: NSObject, EventReporterFactory {
  private let ingestionConfiguration: IngestionConfiguration
  private let logger: any Logger

  /// Creates a factory.
  ///
  /// - Parameters:
  ///   - ingestionConfiguration: The server, the client and the sizes of requests.
  ///   - logger: The logger that records the events that the reporter could not send.
  public init(ingestionConfiguration: IngestionConfiguration, logger: any Logger) {
    self.ingestionConfiguration = ingestionConfiguration
    self.logger = logger
  }

  /// Returns a reporter; `nil` if the configuration disables the events, or if the configured URL
  /// is not an `http` or `https` URL.
  ///
  /// Logs an invalid URL unless the URL is empty.
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
      to: ClientEventRequest(url: url, client: ingestionConfiguration.clientConfiguration),
      queue: AnalyticsEventQueue(
        flushSize: ingestionConfiguration.flushSize,
        retryCountLimit: ingestionConfiguration.retryCountLimit),
      flushIntervalMs: Int(clamping: ingestionConfiguration.flushIntervalMs),
      log: SessionLogger(logger: logger))
  }
}
