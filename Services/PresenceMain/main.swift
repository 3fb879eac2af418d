import Presence
import ServiceHost

await PresenceCommand.main()
