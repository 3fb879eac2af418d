internal import ArgumentParser
internal import Output

/// The sort order of `carillon top`.
enum TopOrder: String, CaseIterable, ExpressibleByArgument {
  case name, cpu, meetings, sessions, requests, messages, waiting, memory, files
  case packetsIn = "packets-in"
  case packetsOut = "packets-out"

  /// The field of ``InstanceUtilization/record``; `nil` for the name.
  private var field: String? {
    switch self {
    case .name: nil
    case .cpu: "cpu_percent"
    case .meetings, .sessions, .waiting: rawValue
    case .requests, .messages: "\(rawValue)_per_second"
    case .packetsIn: "packets_in_per_second"
    case .packetsOut: "packets_out_per_second"
    case .memory: "memory_mb"
    case .files: "open_files"
    }
  }

  /// Sorts records by a number, descending. Records without the number are last, and records with
  /// equal numbers are in the order of their names.
  func sorted(_ records: [OutputRecord]) -> [OutputRecord] {
    let names = records.sorted { $0["instance"]?.text ?? "" < $1["instance"]?.text ?? "" }
    guard let field else { return names }
    func figure(_ record: OutputRecord) -> Int { record[field]?.integer ?? .min }
    return names.enumerated()
      .sorted { (figure($1.element), $0.offset) < (figure($0.element), $1.offset) }
      .map(\.element)
  }
}

/// The table of `carillon top` for a person: one row per instance, and a row with the sums.
enum TopTable {
  /// Column names short enough for a terminal, in the order of ``InstanceUtilization/record``.
  private static let names = [
    "instance", "answers", "CPU %", "meetings", "sessions", "requests/s", "messages/s",
    "packets in/s", "packets out/s", "waiting", "MB", "files",
  ]

  /// The columns without a sum, because several services count the same meeting and its sessions.
  private static let unsummed = ["answers", "meetings", "sessions"]

  static func rows(_ records: [OutputRecord]) -> [OutputRecord] {
    (records + [sum(of: records)]).map { record in
      OutputRecord(zip(names, record.fields).map { .init(name: $0, value: $1.value) })
    }
  }

  /// Returns the sums over all instances that report a figure.
  static func sum(of records: [OutputRecord]) -> OutputRecord {
    let first = records.first?.fields ?? []
    return OutputRecord(
      first.map { field in
        if field.name == "instance" { return .init(name: field.name, value: "sum") }
        let figures = records.compactMap { $0[field.name]?.integer }
        let isSummed = !unsummed.contains(field.name) && !figures.isEmpty
        return .init(
          name: field.name, value: isSummed ? .integer(figures.reduce(0, +)) : .null)
      })
  }

  /// Returns the lines for the given number of rows: the header, the first rows, and the row with
  /// the sums.
  static func lines(_ records: [OutputRecord], rows: Int) -> [String] {
    let lines = OutputRecord.table(Self.rows(records)).split(separator: "\n").map(String.init)
    guard lines.count > rows, rows > 1, let sum = lines.last else {
      return Array(lines.prefix(rows))
    }
    return lines.prefix(rows - 1) + [sum]
  }
}
