internal import ArgumentParser

/// The options for the directories of an installation that is started here.
struct InstallationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Directory of Unix sockets, locks and heartbeats.",
      discussion: """
        Default: $CARILLON_RUNTIME_DIR, else the first of /run/carillon, $XDG_RUNTIME_DIR/carillon \
        and /tmp/carillon-UID that can be used.
        """),
    completion: .directory)
  var runtimeDir: String?

  @Option(
    help: "Directory for what must survive a restart. Default: each service's own.",
    completion: .directory)
  var dataDir: String?
}
