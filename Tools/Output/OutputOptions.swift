internal import ArgumentParser

/// The flag that every command has, and what it decides.
package struct OutputOptions: ParsableArguments {
  @Option(help: "How results are printed: text, or json with one object a line.")
  package var output = OutputFormat.text

  package init() {}

  /// Prints one thing.
  package func print(_ record: Record) {
    switch output {
    case .text: Console.out(record.text)
    case .json: Console.out(record.json)
    }
  }

  /// Prints several things: a table, or one object a line.
  package func print(_ records: [Record]) {
    switch output {
    case .text: if !records.isEmpty { Console.out(Record.table(records)) }
    case .json: for record in records { Console.out(record.json) }
    }
  }

  /// Does the work of a command, reports what stopped it on standard error, and ends the process
  /// with the status that says so.
  package func reportingFailure(of work: () async throws -> Void) async throws {
    try await output.reportingFailure(of: work)
  }
}

extension OutputFormat {
  /// Does the work of a command, reports what stopped it on standard error, and ends the process
  /// with the status that says so.
  package func reportingFailure(of work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let exit as ExitCode {
      throw exit
    } catch {
      let failure = CommandFailure(error)
      switch self {
      case .text: Console.error("carillon: \(failure)")
      case .json:
        let report: Record = ["error": .text(failure.code), "message": .text(failure.message)]
        Console.error(report.json)
      }
      throw ExitCode(failure.exit.rawValue)
    }
  }
}
