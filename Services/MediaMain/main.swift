import Media
import ServiceHost

await MediaCommand.main()
