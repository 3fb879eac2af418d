internal import ArgumentParser
internal import Output

/// `carillon completion`.
struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Prints the script that completes this command in a shell.",
    discussion: """
      bash: carillon completion bash > ~/.local/share/bash-completion/completions/carillon; \
      zsh: carillon completion zsh > _carillon, in a directory of $fpath; \
      fish: carillon completion fish > ~/.config/fish/completions/carillon.fish. \
      Ids of meetings and attendees are completed too while a gateway runs.
      """)

  /// The shells that have a completion script.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    fileprivate var kind: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell.") var shell: Shell

  func run() {
    Console.out(Self.script(for: shell))
  }

  static func script(for shell: Shell) -> String {
    CarillonCommand.completionScript(for: shell.kind)
  }
}
