import PocketSphinxEngine
import ServiceHost

await PocketSphinxCommand.main()
