/// The date format of the `Date` header: IMF-fixdate of RFC 9110, §5.6.7.
///
/// On Linux, Foundation offers this format only with a locale, and hummingbird's formatter is not
/// public.
enum HTTPDateFormat {
  /// Returns the date as text.
  ///
  /// - Parameter seconds: Seconds since 1970-01-01T00:00:00Z, not negative.
  static func text(for seconds: Int64) -> String {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = date(after: Int(days))
    let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { twoDigits(Int($0)) }
    // 1970-01-01 was a Thursday.
    return "\(weekdays[(Int(days) + 4) % 7]), \(twoDigits(day)) \(months[month - 1]) \(year) "
      + "\(clock.joined(separator: ":")) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func date(after days: Int) -> (year: Int, month: Int, day: Int) {
    var (year, rest) = (1970, days)
    while rest >= length(of: year) {
      rest -= length(of: year)
      year += 1
    }
    var month = 1
    while rest >= length(of: month, in: year) {
      rest -= length(of: month, in: year)
      month += 1
    }
    return (year, month, rest + 1)
  }

  private static func length(of year: Int) -> Int { isLeap(year) ? 366 : 365 }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }
}
