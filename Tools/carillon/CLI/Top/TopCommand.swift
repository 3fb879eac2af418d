internal import ArgumentParser
internal import LocalInstallation
internal import Output

/// `carillon top`.
struct TopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Shows what all services on this machine are doing.",
    discussion: """
      One row for each instance: meetings, sessions (of messaging and media: those it serves), \
      requests, messages and packets each second, what waits, memory and files. It asks each \
      instance for its metrics, and needs no gateway. On a terminal the table is live, and q \
      leaves. Elsewhere, and with --output json, all rows are printed each time; with --once they \
      are printed once, after one interval.
      """)

  @Option(help: "Seconds between two looks, 1-60.") var intervalSeconds = 2
  @Flag(help: "Print one table, and end.") var once = false
  @Flag(help: "Print lines, on a terminal too.") var plain = false
  @OptionGroup var runtime: RuntimeOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...60).contains(intervalSeconds) else {
      throw ValidationError("--interval-seconds must be 1-60; got \(intervalSeconds).")
    }
  }

  func run() async throws {
    let places = runtime.places
    try await output.reportingFailure {
      guard let sockets = HealthSockets(inFirstOf: places) else {
        throw HealthSockets.noService(in: places)
      }
      try await watch(sockets)
    }
  }

  private enum News: Sendable { case tick, quit, redraw }

  private func watch(_ sockets: HealthSockets) async throws {
    let (news, arrivals) = AsyncStream.makeStream(
      of: News.self, bufferingPolicy: .bufferingNewest(16))
    let isLive = !plain && !once && Terminal.canShowView(output.output)
    let screen =
      isLive
      ? try Terminal(onQuit: { arrivals.yield(.quit) }, onRedraw: { arrivals.yield(.redraw) })
      : nil
    defer { screen?.restore() }
    let signals = Signals()
    let pause = Duration.seconds(intervalSeconds)
    await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        repeat { arrivals.yield(.tick) } while (try? await Task.sleep(for: pause)) != nil
      }
      tasks.addTask { if await signals.next() != nil { arrivals.yield(.quit) } }
      defer { tasks.cancelAll() }
      await show(news, of: sockets, on: screen)
    }
  }

  private func show(
    _ news: AsyncStream<News>, of sockets: HealthSockets, on screen: Terminal?
  ) async {
    var readings: [String: MetricsReading] = [:]
    var readAt: ContinuousClock.Instant?
    var loads: [InstanceLoad] = []
    for await item in news {
      switch item {
      case .quit: return
      case .redraw: screen?.invalidate()
      case .tick:
        let texts = await sockets.metrics(within: .seconds(intervalSeconds))
        let now = ContinuousClock.now
        let seconds = readAt.map { (now - $0) / .seconds(1) } ?? 0
        let latest = texts.map { ($0.instance, $0.text.map(MetricsReading.init)) }
        loads = latest.map { instance, reading in
          InstanceLoad(
            of: instance, now: reading, before: readings[instance], seconds: seconds)
        }
        let isFirst = readAt == nil
        readings = Dictionary(
          latest.compactMap { name, reading in reading.map { (name, $0) } },
          uniquingKeysWith: { $1 })
        readAt = now
        // The first look has no rates.
        if screen == nil, !isFirst {
          output.print(output.output == .json ? loads.map(\.record) : loads.map(\.row))
          if once { return }
        }
      }
      screen.map { draw(loads, on: $0) }
    }
  }

  private func draw(_ loads: [InstanceLoad], on screen: Terminal) {
    let size = screen.size
    let table = Record.table(loads.map(\.row)).split(separator: "\n").map(String.init)
    screen.show(
      table.prefix(size.rows).map { ScreenLine(text: CellText.cut($0, to: size.columns - 1)) })
  }
}
