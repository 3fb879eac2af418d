internal import ArgumentParser
internal import ServiceHost

/// The program `carillon-pocketsphinx`. It runs the service, or the command `recognize` for
/// recordings.
public enum PocketSphinxProgram {
  /// Runs the command that the command line names, and then ends the process.
  public static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "recognize" {
      RecognizeCommand.main(Array(arguments.dropFirst()))
    } else {
      await PocketSphinxCommand.main()
    }
  }
}
