/// The connectors of all services.
///
/// Each list in this type has one line for each service.
struct ServiceConnectors {
  let roster: PresenceConnector
  let messages: MessagingConnector
  let transcripts: TranscriptionConnector
  let tiles: TilesConnector
  let media: MediaConnector

  init(in context: GatewayContext) {
    roster = PresenceConnector(in: context)
    messages = MessagingConnector(in: context)
    transcripts = TranscriptionConnector(in: context)
    tiles = TilesConnector(in: context)
    media = MediaConnector(in: context)
  }

  /// All connectors, in the order in which each session uses them.
  var all: [any ServiceConnector] { [roster, messages, transcripts, tiles, media] }
}
