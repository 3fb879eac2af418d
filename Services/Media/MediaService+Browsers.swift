import Logging
import MeetingModel
import Ownership
import ServiceHost
import WebRTC

// Reports browsers to operators: totals in the metrics, and each browser in log lines that
// `carillon trace` shows.
extension MediaService {
  /// The number of seconds between two log lines with the figures of one browser.
  private static let lineInterval = 10

  /// Updates the metrics and the log of all browsers.
  ///
  /// The service calls this once a second.
  func reportBrowsers() {
    for session in sessions.values {
      guard let link = session.link as? WebRTCLink else { continue }
      countFigures(of: session, link)
      noteMove(of: session, link)
      link.told.seconds += 1
      if link.told.seconds >= Self.lineInterval {
        logFigures("A browser's sound so far", session, link)
      }
    }
  }

  /// Starts the reports about a browser that has connected or reconnected.
  func beginReports(on session: MediaServerSession, _ link: WebRTCLink) {
    // The metrics already include the figures of an earlier connection of this session.
    link.told.figures = figures(of: session, link)
    link.told.seconds = 0
    let path = door?.path(of: session.id)
    link.told.path = path
    log("A browser connected", session, Self.metadata(of: path, door?.security(of: session.id)))
  }

  /// Ends the reports about a browser whose connection ends.
  func endReports(on session: MediaServerSession, _ link: WebRTCLink) {
    countFigures(of: session, link)
    logFigures("A browser disconnected", session, link)
  }

  private func countFigures(of session: MediaServerSession, _ link: WebRTCLink) {
    let figures = figures(of: session, link)
    webRTCCounters.figures.count(figures.since(link.told.figures))
    link.told.figures = figures
  }

  /// Logs a change of the candidate pair that carries a browser's packets.
  private func noteMove(of session: MediaServerSession, _ link: WebRTCLink) {
    guard let path = door?.path(of: session.id), path != link.told.path else { return }
    link.told.path = path
    log("A browser moved", session, Self.metadata(of: path, nil))
  }

  private func figures(of session: MediaServerSession, _ link: WebRTCLink) -> BrowserAudioStatistics
  {
    let audio = meetings[session.meeting]?.audio.statistics(of: session.key)
    return BrowserAudioStatistics(audio ?? AudioStatistics(), session.streams, link.refusals)
  }

  // MARK: Lines

  private func logFigures(_ step: String, _ session: MediaServerSession, _ link: WebRTCLink) {
    link.told.seconds = 0
    log(step, session, link.told.figures.metadata)
  }

  private func log(
    _ step: String, _ session: MediaServerSession, _ more: @autoclosure () -> Logger.Metadata
  ) {
    owner.logger.step(
      "\(step)",
      of: SessionLabel(
        session.id, of: session.participant, in: session.meeting, traceparent: ""), more())
  }

  private static func metadata(
    of path: BrowserCandidatePair?, _ security: BrowserMediaCiphers?
  ) -> Logger.Metadata {
    var metadata: Logger.Metadata = [:]
    metadata["ice.pair"] = path.map { "\($0)" }
    guard let security else { return metadata }
    metadata["dtls.version"] = "\(security.version)"
    metadata["dtls.cipher"] = "\(security.cipher)"
    metadata["srtp.profile"] = "\(security.profile)"
    return metadata
  }
}

extension BrowserAudioStatistics {
  /// The figures, under the names that `carillon trace` shows.
  var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = [
      "srtp.replays": "\(replays)", "srtp.forgeries": "\(forgeries)",
      "uplink.packets": "\(uplink.packets)", "uplink.lost": "\(uplink.lost)",
      "uplink.concealed": "\(Self.milliseconds(Int64(concealed) * 20_000))",
      "downlink.packets": "\(downlink.packets)", "downlink.lost": "\(downlink.lost)",
    ]
    metadata["round_trip"] = roundTripUs.map { "\(Self.milliseconds($0))" }
    metadata["uplink.jitter"] = uplink.jitterUs.map { "\(Self.milliseconds($0))" }
    metadata["downlink.jitter"] = downlink.jitterUs.map { "\(Self.milliseconds($0))" }
    return metadata
  }

  /// Returns a time as text: in milliseconds, rounded to a tenth, with the unit.
  private static func milliseconds(_ us: Int64) -> String {
    "\(us / 1_000).\(us % 1_000 / 100) ms"
  }
}
