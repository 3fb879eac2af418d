/// The result of parsing a command line.
enum ParsedCommand<Command> {
  case command(Command)
  /// The text to print instead of running, such as help or an error, and the exit status.
  case answer(String, status: ExitReason)
}
