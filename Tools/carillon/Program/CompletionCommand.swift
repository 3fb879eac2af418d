internal import ArgumentParser
internal import Output

/// The command `carillon completion`.
struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Prints a shell script that completes carillon's commands and options.",
    discussion: """
      bash: carillon completion bash > ~/.local/share/bash-completion/completions/carillon; zsh: \
      carillon completion zsh > _carillon, in a directory of $fpath; fish: carillon completion \
      fish > ~/.config/fish/completions/carillon.fish. While a gateway runs, the script also \
      completes ids of meetings and attendees.
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
