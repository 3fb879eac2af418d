import Testing

@testable import Gateway

@Suite struct HTTPDateFormatTests {
  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_767_323_045, "Fri, 02 Jan 2026 03:04:05 GMT"),
    (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
  ])
  func `a date is written in the format of HTTP`(seconds: Int64, text: String) {
    #expect(HTTPDateFormat.text(for: seconds) == text)
  }
}
