internal import ArgumentParser

/// The option for a command's output format, and functions that print in this format.
package struct OutputOptions: ParsableArguments {
  @Option(help: "Format of the results: text, or json with one object per line.")
  package var output = OutputFormat.text

  package init() {}

  /// Prints one record.
  package func print(_ record: OutputRecord) {
    switch output {
    case .text: Console.out(record.text)
    case .json: Console.out(record.json)
    }
  }

  /// Prints several records: as a table, or as one object per line.
  package func print(_ records: [OutputRecord]) {
    switch output {
    case .text: if !records.isEmpty { Console.out(OutputRecord.table(records)) }
    case .json: for record in records { Console.out(record.json) }
    }
  }

  /// Runs a command, reports its failure on standard error, and exits with the failure's status.
  package func reportingFailure(of work: () async throws -> Void) async throws {
    try await output.reportingFailure(of: work)
  }
}

extension OutputFormat {
  /// Runs a command, reports its failure on standard error, and exits with the failure's status.
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
        let report: OutputRecord = [
          "error": .text(failure.code), "message": .text(failure.message),
        ]
        Console.error(report.json)
      }
      throw ExitCode(failure.exit.rawValue)
    }
  }
}
