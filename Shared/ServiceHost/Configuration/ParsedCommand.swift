/// What a command line comes to.
enum ParsedCommand<Command> {
  case command(Command)
  /// Text to print instead of running, such as help or what is wrong, and the exit status.
  case answer(String, status: ExitReason)
}
