public import Foundation

/// How events are sent to a server. Made by `IngestionConfigurationBuilder`.
public final class IngestionConfiguration: NSObject {
  /// In whose name.
  public let clientConfiguration: any EventClientConfiguration

  /// Where to.
  public let ingestionUrl: String

  /// Whether nothing is sent.
  public let disabled: Bool

  /// How many events go into one request at most, 1 to 100.
  public let flushSize: Int

  /// How long lies between two requests, in milliseconds, 300 or more.
  public let flushIntervalMs: Int64

  /// How often a failed request is repeated at most, 1 to 3.
  public let retryCountLimit: Int

  init(
    clientConfiguration: any EventClientConfiguration, ingestionUrl: String, disabled: Bool,
    flushSize: Int, flushIntervalMs: Int64, retryCountLimit: Int
  ) {
    self.clientConfiguration = clientConfiguration
    self.ingestionUrl = ingestionUrl
    self.disabled = disabled
    self.flushSize = flushSize
    self.flushIntervalMs = flushIntervalMs
    self.retryCountLimit = retryCountLimit
  }
}
