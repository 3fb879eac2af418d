package import Output

/// A log that merges the lines of several services, each prefixed with the service's name.
package struct PrefixedLog: Sendable {
  private let prefixes: [String: String]

  package init(services: [String], paint: TerminalColors) {
    let width = services.map(\.count).max() ?? 0
    let colours = TerminalColors.Colour.allCases.filter { $0 != .red }
    var prefixes: [String: String] = [:]
    for (index, service) in services.enumerated() {
      let name = service + String(repeating: " ", count: width - service.count) + " |"
      prefixes[service] = paint(name, colours[index % colours.count])
    }
    self.prefixes = prefixes
  }

  /// Writes a line of a service to standard error.
  package func write(_ line: String, of service: String) {
    Console.error("\(prefixes[service] ?? service) \(line)")
  }
}
