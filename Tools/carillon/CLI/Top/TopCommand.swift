internal import ArgumentParser
internal import LocalInstallation
internal import Output

/// The command `carillon top`.
struct TopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Shows the load of all services on this machine.",
    discussion: """
      Each row shows one instance: processor time in per cent of a core, meetings, sessions (for \
      messaging and media, those that the instance serves), requests, messages and packets per \
      second, the length of its queues, memory, and open files. The last row is the sum; --output \
      json has none. The command reads the metrics of each instance, and needs no gateway. \
      --metrics adds instances of other hosts. On a terminal, the table is live, and q exits. \
      Otherwise, and with --output json, the command prints all rows at each interval. With \
      --once, it prints them once, after one interval.
      """)

  @Option(help: "Seconds between two measurements, 1-60.") var intervalSeconds = 2
  @Flag(help: "Print one table, and exit.") var once = false
  @Flag(help: "Print lines, also on a terminal.") var plain = false
  @Option(help: "Column to sort by, largest values first; name sorts by the instances' names.")
  var sort = TopOrder.name
  @OptionGroup var others: RemoteMetricsOptions
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...60).contains(intervalSeconds) else {
      throw ValidationError("--interval-seconds must be 1-60; got \(intervalSeconds).")
    }
  }

  func run() async throws {
    let places = runtime.places
    try await output.reportingFailure {
      let sockets = HealthSockets(inFirstOf: places)
      let metrics = InstanceMetricsReader(sockets, others.addresses)
      guard metrics.hasAny else { throw HealthSockets.noService(in: places) }
      try await watch(metrics)
    }
  }

  private enum Update: Sendable { case tick, quit, redraw }

  private func watch(_ metrics: InstanceMetricsReader) async throws {
    let (news, arrivals) = AsyncStream.makeStream(
      of: Update.self, bufferingPolicy: .bufferingNewest(16))
    let isLive = !plain && !once && Terminal.canShowView(output.output)
    let screen =
      isLive
      ? try Terminal(onQuit: { arrivals.yield(.quit) }, onRedraw: { arrivals.yield(.redraw) })
      : nil
    defer { screen?.restore() }
    let signals = ShutdownSignals()
    let pause = Duration.seconds(intervalSeconds)
    await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        repeat { arrivals.yield(.tick) } while (try? await Task.sleep(for: pause)) != nil
      }
      tasks.addTask { if await signals.next() != nil { arrivals.yield(.quit) } }
      tasks.addTask {
        await OutputReaderMonitor.waitUntilUnread()
        if !Task.isCancelled { arrivals.yield(.quit) }
      }
      defer { tasks.cancelAll() }
      await show(news, of: metrics, on: screen)
    }
  }

  private func show(
    _ news: AsyncStream<Update>, of metrics: InstanceMetricsReader, on screen: Terminal?
  ) async {
    var readings: [String: MetricsReading] = [:]
    var readAt: ContinuousClock.Instant?
    var records: [OutputRecord] = []
    for await item in news {
      switch item {
      case .quit: return
      case .redraw: screen?.invalidate()
      case .tick:
        let latest = await metrics.readings(within: .seconds(intervalSeconds))
        let now = ContinuousClock.now
        let seconds = readAt.map { (now - $0) / .seconds(1) } ?? 0
        records = sort.sorted(
          latest.map { instance, reading in
            InstanceUtilization(
              of: instance, now: reading, before: readings[instance], seconds: seconds
            ).record
          })
        let isFirst = readAt == nil
        readings = latest.reduce(into: [:]) { $0[$1.instance] = $1.reading }
        readAt = now
        // A rate needs two readings, so the command prints nothing after the first reading.
        if screen == nil, !isFirst {
          output.print(output.output == .json ? records : TopTable.rows(records))
          if once { return }
        }
      }
      screen.map { draw(records, on: $0) }
    }
  }

  private func draw(_ records: [OutputRecord], on screen: Terminal) {
    let size = screen.size
    screen.show(
      TopTable.lines(records, rows: size.rows).map {
        TerminalLine(text: TerminalText.cut($0, to: size.columns - 1))
      })
  }
}
