/// The connectors of all services.
///
/// Each list in this type has one line for each service.
struct ServiceConnectors {
  let roster: PresenceServiceConnector
  let messages: MessagingServiceConnector
  let transcripts: TranscriptionServiceConnector
  let tiles: TilesServiceConnector
  let media: MediaServiceConnector

  init(in context: GatewayContext) {
    roster = PresenceServiceConnector(in: context)
    messages = MessagingServiceConnector(in: context)
    transcripts = TranscriptionServiceConnector(in: context)
    tiles = TilesServiceConnector(in: context)
    media = MediaServiceConnector(in: context)
  }

  /// All connectors, in the order in which each session uses them.
  var all: [any ServiceConnector] { [roster, messages, transcripts, tiles, media] }
}
