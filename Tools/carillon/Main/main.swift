import CarillonProgram

await CarillonCommand.main()
