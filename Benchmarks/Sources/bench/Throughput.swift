/// A measured throughput, and the numbers of cores that were busy during the measurement.
struct Throughput: Sendable {
  let perSecond: Double

  /// The number of cores that the instances kept busy.
  let cores: Double

  /// The number of cores that the clients kept busy.
  let driverCores: Double

  /// The number of cores that the store kept busy.
  let storeCores: Double

  /// Measures the throughput of `body`.
  ///
  /// - Parameters:
  ///   - store: The store's processes, if the store has its own processes.
  ///   - body: Does the work that `amount` counts, and then returns.
  init(
    of amount: Int, by instances: [Int], for clients: [Int], on store: [Int] = [],
    _ body: () throws -> Void
  ) throws {
    func used(_ processes: [Int]) throws -> Double {
      try processes.map(ProcessTime.microseconds(of:)).reduce(0, +)
    }
    let before = (try used(instances), try used(clients), try used(store))
    let began = ContinuousClock.now
    try body()
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    perSecond = Double(amount) / seconds
    cores = (try used(instances) - before.0) / 1_000_000 / seconds
    driverCores = (try used(clients) - before.1) / 1_000_000 / seconds
    storeCores = (try used(store) - before.2) / 1_000_000 / seconds
  }
}
