import CarillonProgram
import Foundation
import Gateway
import Media
import Messaging
import Presence
import ServiceHost
import Transcription
import VideoTiles

// All programs of the container's image in one file. The name in the command line selects the
// program. Most of each program is Swift's runtime and Foundation, which the one file contains only
// once.

switch URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent {
case "gateway": await GatewayCommand.main()
case "media": await MediaCommand.main()
case "messaging": await MessagingCommand.main()
case "presence": await PresenceCommand.main()
case "transcription": await TranscriptionCommand.main()
case "video-tiles": await VideoTilesCommand.main()
default: await CarillonCommand.main()
}
