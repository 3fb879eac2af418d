internal import ArgumentParser
internal import ServiceHost

/// `carillon-pocketsphinx`: the service, or beside it a look at what the model makes of recordings.
public enum PocketSphinxProgram {
  /// Runs the command of the process's command line, and ends the process.
  public static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "recognize" {
      RecognizeCommand.main(Array(arguments.dropFirst()))
    } else {
      await PocketSphinxCommand.main()
    }
  }
}
