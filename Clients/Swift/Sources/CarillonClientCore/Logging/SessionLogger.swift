/// The application's logger. The components of a session share the logger, and use it on several
/// threads.
///
/// `@unchecked Sendable` because `Logger` requires every implementation to accept calls from any
/// thread.
package struct SessionLogger: @unchecked Sendable {
  let logger: any Logger

  package init(logger: any Logger) { self.logger = logger }

  func debug(_ message: () -> String) { logger.debug(debugFunction: message) }
  package func info(_ message: String) { logger.info(msg: message) }
  func fault(_ message: String) { logger.fault(msg: message) }
  package func error(_ message: String) { logger.error(msg: message) }

  /// Logs that a call of the application needs media, and that the session has no media.
  func noMedia(_ call: String) { error(CarillonClientError.noMedia(call).description) }

  /// Logs that this version does not implement a call of the application.
  func notAvailableYet(_ call: String) {
    fault(CarillonClientError.notAvailableYet(call).description)
  }
}
