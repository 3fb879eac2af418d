/// The reason why a measurement failed.
enum BenchError: Error, CustomStringConvertible {
  case usage
  case ended(String)
  case unreadable(String, answer: String)
  case closed
  case missing(String)

  var description: String {
    switch self {
    case .usage: "bench [--peers DIR] [--results FILE] [--rounds N] [--window N] [--only NAME]…"
    case .ended(let program): "\(program) ended; what it printed says why."
    case .unreadable(let program, let answer): "\(program) answered \"\(answer)\"."
    case .closed: "The channel is closed."
    case .missing(let what): "\(what) is missing."
    }
  }
}
