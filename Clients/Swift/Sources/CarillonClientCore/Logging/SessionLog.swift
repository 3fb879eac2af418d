/// The application's logger, as the parts of a session hand it round between threads.
///
/// `@unchecked Sendable` because `Logger` asks every implementation to bear calls from any thread.
package struct SessionLog: @unchecked Sendable {
  let logger: any Logger

  package init(logger: any Logger) { self.logger = logger }

  func debug(_ message: () -> String) { logger.debug(debugFunction: message) }
  package func info(_ message: String) { logger.info(msg: message) }
  func fault(_ message: String) { logger.fault(msg: message) }
  package func error(_ message: String) { logger.error(msg: message) }

  /// Says that a facade call needs media, which the session has not got.
  func noMedia(_ call: String) { error(CarillonClientError.noMedia(call).description) }

  /// Says that a facade call does nothing in this version.
  func notAvailableYet(_ call: String) {
    fault(CarillonClientError.notAvailableYet(call).description)
  }
}
