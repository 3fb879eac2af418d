public import Foundation

/// Makes an `IngestionConfiguration`; figures outside their range are moved to its nearest end.
public final class IngestionConfigurationBuilder: NSObject {
  private var flushSize = 20
  private var flushIntervalMs: Int64 = 5000
  private var retryCountLimit = 2

  public override init() {}

  /// - Parameter flushSize: Events in one request, 1 to 100; otherwise 20.
  @discardableResult
  public func setFlushSize(flushSize: Int) -> IngestionConfigurationBuilder {
    self.flushSize = min(max(flushSize, 1), 100)
    return self
  }

  /// - Parameter flushIntervalMs: Milliseconds between requests, 300 or more; otherwise 5000.
  @discardableResult
  public func setFlushIntervalMs(flushIntervalMs: Int64) -> IngestionConfigurationBuilder {
    self.flushIntervalMs = max(flushIntervalMs, 300)
    return self
  }

  /// - Parameter retryCountLimit: Repetitions of a failed request, 1 to 3; otherwise 2.
  @discardableResult
  public func setRetryCountLimit(retryCountLimit: Int) -> IngestionConfigurationBuilder {
    self.retryCountLimit = min(max(retryCountLimit, 1), 3)
    return self
  }

  public func build(
    disabled: Bool = false, ingestionUrl: String,
    clientConiguration: any EventClientConfiguration
  ) -> IngestionConfiguration {
    IngestionConfiguration(
      clientConfiguration: clientConiguration, ingestionUrl: ingestionUrl, disabled: disabled,
      flushSize: flushSize, flushIntervalMs: flushIntervalMs, retryCountLimit: retryCountLimit)
  }
}
