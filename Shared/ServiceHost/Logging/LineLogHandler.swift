internal import Foundation
internal import Logging

/// A log handler that writes each entry as one line, as text or as JSON.
struct LineLogHandler: LogHandler {
  /// The format of a line.
  enum Style {
    case text(LogColorMode)
    case json
  }

  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  let label: String
  let style: Style
  let now: @Sendable () -> Date
  /// Receives one line without its line feed; called from any thread.
  let write: @Sendable (String) -> Void

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var merged = metadata
    if let provided = metadataProvider?.get() { merged.merge(provided) { _, new in new } }
    if let own = event.metadata { merged.merge(own) { _, new in new } }
    if let error = event.error { merged[LogMetadataKey.error] = "\(error)" }
    let line = LogLine(
      time: now(), level: event.level, label: label, message: event.message.description,
      metadata: merged)
    switch style {
    case .text(let paint): write(line.text(paint))
    case .json: write(line.json())
    }
  }
}
