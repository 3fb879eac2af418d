import Gateway
import ServiceHost

await GatewayCommand.main()
