public import Foundation

/// The configuration for sending events to a server, created by `IngestionConfigurationBuilder`.
public final class IngestionConfiguration: NSObject {
  /// The client that sends the events.
  public let clientConfiguration: any EventClientConfiguration

  /// The URL that receives the events.
  public let ingestionUrl: String

  /// Whether the session sends no events.
  public let disabled: Bool

  /// The maximum number of events in one request, from 1 to 100.
  public let flushSize: Int

  /// The interval between two requests, in milliseconds, 300 or more.
  public let flushIntervalMs: Int64

  /// The maximum number of retries of a failed request, from 1 to 3.
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

/// A builder of an `IngestionConfiguration`. The builder clamps numbers to their ranges.
public final class IngestionConfigurationBuilder: NSObject {
  private var flushSize = 20
  private var flushIntervalMs: Int64 = 5000
  private var retryCountLimit = 2

  public override init() {}

  /// Sets the maximum number of events in one request.
  ///
  /// - Parameter flushSize: 1 to 100; the default is 20.
  @discardableResult
  public func setFlushSize(flushSize: Int) -> IngestionConfigurationBuilder {
    self.flushSize = min(max(flushSize, 1), 100)
    return self
  }

  /// Sets the interval between two requests.
  ///
  /// - Parameter flushIntervalMs: The interval in milliseconds, 300 or more; the default is 5000.
  @discardableResult
  public func setFlushIntervalMs(flushIntervalMs: Int64) -> IngestionConfigurationBuilder {
    self.flushIntervalMs = max(flushIntervalMs, 300)
    return self
  }

  /// Sets the maximum number of retries of a failed request.
  ///
  /// - Parameter retryCountLimit: 1 to 3; the default is 2.
  @discardableResult
  public func setRetryCountLimit(retryCountLimit: Int) -> IngestionConfigurationBuilder {
    self.retryCountLimit = min(max(retryCountLimit, 1), 3)
    return self
  }

  /// Creates the configuration from the current settings.
  ///
  /// - Parameters:
  ///   - disabled: Whether the session sends no events.
  ///   - ingestionUrl: The server's URL.
  ///   - clientConiguration: The client that sends the events. The meetings SDK for iOS also
  ///     misspells the label.
  public func build(
    disabled: Bool = false, ingestionUrl: String,
    clientConiguration: any EventClientConfiguration
  ) -> IngestionConfiguration {
    IngestionConfiguration(
      clientConfiguration: clientConiguration, ingestionUrl: ingestionUrl, disabled: disabled,
      flushSize: flushSize, flushIntervalMs: flushIntervalMs, retryCountLimit: retryCountLimit)
  }
}

/// The client that sends the events.
public protocol EventClientConfiguration: AnyObject {
  /// The kind of client; superseded by `tag`.
  var type: EventClientType { get }

  /// The token that proves to the server that the client may send events.
  var eventClientJoinToken: String { get }

  /// The kind of client, as a text.
  var tag: String { get }

  /// The attributes that the client sends with every event.
  var metadataAttributes: [String: Any] { get }
}

/// The kinds of clients that send events.
public enum EventClientType: Int, Sendable, CustomStringConvertible {
  /// A client that joins meetings.
  case meet = 0
  /// A client that only exchanges messages.
  case chat = 1

  /// The name of the kind in requests.
  public var description: String {
    switch self {
    case .meet: "Meet"
    case .chat: "Chat"
    }
  }
}
