import Messaging
import ServiceHost

await MessagingCommand.main()
