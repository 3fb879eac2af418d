import CLI

await CarillonCommand.main()
