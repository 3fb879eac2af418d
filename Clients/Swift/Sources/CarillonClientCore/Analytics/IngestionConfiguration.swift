public import Foundation

/// How events are sent to a server. Made by `IngestionConfigurationBuilder`.
public final class IngestionConfiguration: NSObject {
  /// Says in whose name events are sent.
  public let clientConfiguration: any EventClientConfiguration

  /// The URL that events are sent to.
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

  /// Makes the configuration from what was set so far.
  ///
  /// - Parameters:
  ///   - disabled: True to send nothing.
  ///   - ingestionUrl: The server's URL.
  ///   - clientConiguration: Who sends. The label is misspelt in the original and so here.
  public func build(
    disabled: Bool = false, ingestionUrl: String,
    clientConiguration: any EventClientConfiguration
  ) -> IngestionConfiguration {
    IngestionConfiguration(
      clientConfiguration: clientConiguration, ingestionUrl: ingestionUrl, disabled: disabled,
      flushSize: flushSize, flushIntervalMs: flushIntervalMs, retryCountLimit: retryCountLimit)
  }
}

/// Says in whose name events are sent.
public protocol EventClientConfiguration: AnyObject {
  /// Superseded by `tag`.
  var type: EventClientType { get }

  /// Proves the right to send.
  var eventClientJoinToken: String { get }

  /// What kind of client it is.
  var tag: String { get }

  /// What is sent with every event.
  var metadataAttributes: [String: Any] { get }
}

/// What kind of client events come from.
public enum EventClientType: Int, Sendable, CustomStringConvertible {
  /// A client that takes part in meetings.
  case meet = 0
  /// A client that only exchanges messages.
  case chat = 1

  /// The word that a request has for it.
  public var description: String {
    switch self {
    case .meet: "Meet"
    case .chat: "Chat"
    }
  }
}
