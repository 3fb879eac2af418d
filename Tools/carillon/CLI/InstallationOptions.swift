internal import ArgumentParser

/// The options for the directories of an installation that this command starts.
struct InstallationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Directory of Unix sockets, locks and heartbeats.",
      discussion: """
        Default: $CARILLON_RUNTIME_DIR, else the first usable one of /run/carillon, \
        $XDG_RUNTIME_DIR/carillon and /tmp/carillon-UID.
        """),
    completion: .directory)
  var runtimeDir: String?

  @Option(
    help: "Directory for data that must survive a restart. Default: each service's own default.",
    completion: .directory)
  var dataDir: String?
}
