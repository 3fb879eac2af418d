public import Foundation

/// Reports nothing.
public final class NoopEventReporterFactory: NSObject, EventReporterFactory, Sendable {
  public func createEventReporter() -> (any EventReporter)? { nil }
}
