public import ArgumentParser
internal import Bus
internal import MeetingModel
public import ServiceHost
public import ServiceLifecycle
internal import ZeroMQ

/// Runs PocketSphinx as an engine of live transcription.
///
/// The program attaches to every instance of `transcription` in the runtime directory.
public struct PocketSphinxCommand: ServiceCommand {
  public static let serviceName = "pocketsphinx"

  public static let configuration = commandConfiguration(
    abstract: "Runs PocketSphinx as an engine of live transcription.",
    discussion: "`carillon-pocketsphinx recognize FILE…` shows what the model hears in recordings.")

  @OptionGroup public var host: HostOptions

  @Option(help: "Directory of the model, with the layout of Debian's pocketsphinx-en-us.")
  var model = SpeechModel.debian

  @Option(help: "Language of the model, such as en-US.")
  var language = "en-US"

  @Option(help: "Maximum number of simultaneous talkers, 1-100; each takes about 100 MB.")
  var maxStreams = 4

  @Option(
    help:
      "Number of decoding threads, 1-64; one thread decodes about six simultaneous talkers.")
  var threads = 1

  public init() {}

  public func validate() throws {
    try Self.check(maxStreams, 1...100, "--max-streams")
    try Self.check(threads, 1...64, "--threads")
    do {
      try SpeechModel(directory: model).check()
    } catch {
      throw ValidationError(error.status.message)
    }
  }

  public func makeServices(in host: Host) throws -> [any Service] {
    let engine = PocketSphinxService(
      PocketSphinxConfiguration(
        instance: host.instance, model: SpeechModel(directory: model), language: language,
        maxStreams: maxStreams, threads: threads),
      registry: host.makeRegistry(),
      in: try host.makeContext(), on: SocketThread(name: "engine"), metrics: host.metrics,
      logger: host.logger)
    host.health.register("engine") { try await engine.checkIsServing() }
    return [engine]
  }
}
