/// The parts of the gateway that follow a service. Each service has one line in each list.
struct ServiceParts {
  let roster: RosterPart
  let messages: MessagesPart
  let transcripts: TranscriptsPart
  let tiles: TilesPart
  let media: MediaPart

  init(in context: GatewayContext) {
    roster = RosterPart(in: context)
    messages = MessagesPart(in: context)
    transcripts = TranscriptsPart(in: context)
    tiles = TilesPart(in: context)
    media = MediaPart(in: context)
  }

  /// All of them, in the order in which each session meets them.
  var all: [any ServicePart] { [roster, messages, transcripts, tiles, media] }
}
