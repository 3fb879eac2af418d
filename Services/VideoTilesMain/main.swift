import ServiceHost
import VideoTiles

await VideoTilesCommand.main()
