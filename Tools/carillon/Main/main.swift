await CarillonCommand.main()
