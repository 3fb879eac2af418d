import PocketSphinxEngine

await PocketSphinxProgram.main()
