/// The result of parsing a command line.
enum ParsedCommand<Command> {
  case command(Command)
  /// The text to print, such as help or an error, and the exit status. The command does not run.
  case answer(String, status: ProcessExitStatus)
}
