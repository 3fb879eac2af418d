/// A plot of a trial. The plot shows the rate of the link, the estimate and the goodput, the
/// waiting time of packets, and the widths of the frames.
public struct AdaptivePlot {
  private let trace: AdaptiveTrace
  private static let (width, left, right) = (900.0, 60.0, 20.0)

  /// Creates the plot of a trial.
  public init(_ trace: AdaptiveTrace) { self.trace = trace }

  /// The plot as SVG.
  public var svg: String {
    let rates = trace.link.map { AdaptiveTrace.Point(at: $0.at, value: $0.kbps ?? mostKbps) }
    let waits = trace.link.map { AdaptiveTrace.Point(at: $0.at, value: $0.waitsMs.max() ?? 0) }
    let minor = trace.minorFrames.enumerated().map { index, frames in
      (
        frames.map { AdaptiveTrace.Point(at: $0.at, value: -20 - 20 * Double(index)) },
        Self.colors[index % Self.colors.count]
      )
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 640" font-family="sans-serif" \
      font-size="12">
      <rect width="900" height="640" fill="white"/>
      <text x="60" y="22" font-size="15">\(trace.profile.name): \(trace.profile.about)</text>
      \(panel(top: 40, height: 260, "kbit/s", 0...mostKbps))
      \(line(rates, top: 40, height: 260, 0...mostKbps, "#999", 2))
      \(line(trace.estimates, top: 40, height: 260, 0...mostKbps, "#c33", 1.5))
      \(line(trace.goodput, top: 40, height: 260, 0...mostKbps, "#36c", 1.5))
      <text x="70" y="56" fill="#999">the link</text>
      <text x="130" y="56" fill="#c33">estimate</text>
      <text x="200" y="56" fill="#36c">arrived</text>
      \(panel(top: 330, height: 110, "ms in the queue", 0...500))
      \(line(waits, top: 330, height: 110, 0...500, "#963", 1))
      \(panel(top: 470, height: 140, "width of frames", -80...340))
      \(dots(trace.frames, top: 470, height: 140, -80...340, "#36c"))
      \(minor.map { dots($0.0, top: 470, height: 140, -80...340, $0.1) }.joined())
      </svg>

      """
  }

  private static let colors = ["#393", "#c83", "#939"]

  private var mostKbps: Double { AdaptiveMeeting.wantedKbps * 1.5 }

  private func x(_ time: Double) -> Double {
    Self.left + (Self.width - Self.left - Self.right) * time / trace.profile.seconds
  }

  private func y(
    _ value: Double, _ top: Double, _ height: Double, _ range: ClosedRange<Double>
  ) -> Double {
    let bounded = min(max(value, range.lowerBound), range.upperBound)
    let share = (bounded - range.lowerBound) / (range.upperBound - range.lowerBound)
    return top + height * (1 - share)
  }

  private func panel(
    top: Double, height: Double, _ title: String, _ range: ClosedRange<Double>
  ) -> String {
    var text = "<rect x=\"60\" y=\"\(top)\" width=\"820\" height=\"\(height)\" fill=\"none\" "
    text += "stroke=\"#ccc\"/><text x=\"60\" y=\"\(top - 5)\" fill=\"#666\">\(title)</text>"
    for step in 0...2 {
      let value = range.lowerBound + (range.upperBound - range.lowerBound) * Double(step) / 2
      let place = y(value, top, height, range) + 4
      text += "<text x=\"54\" y=\"\(place)\" text-anchor=\"end\" fill=\"#666\">\(Int(value))</text>"
    }
    for second in stride(from: 0.0, through: trace.profile.seconds, by: 5) {
      text += "<text x=\"\(x(second))\" y=\"\(top + height + 14)\" text-anchor=\"middle\" "
      text += "fill=\"#666\">\(Int(second))</text>"
    }
    return text
  }

  private func line(
    _ points: [AdaptiveTrace.Point], top: Double, height: Double, _ range: ClosedRange<Double>,
    _ color: String, _ stroke: Double
  ) -> String {
    let places = points.map { point in
      "\(tenth(x(point.at))),\(tenth(y(point.value, top, height, range)))"
    }.joined(separator: " ")
    return "<polyline points=\"\(places)\" fill=\"none\" stroke=\"\(color)\" "
      + "stroke-width=\"\(stroke)\"/>"
  }

  private func dots(
    _ points: [AdaptiveTrace.Point], top: Double, height: Double, _ range: ClosedRange<Double>,
    _ color: String
  ) -> String {
    points.map { point in
      "<circle cx=\"\(tenth(x(point.at)))\" cy=\"\(tenth(y(point.value, top, height, range)))\" "
        + "r=\"1.2\" fill=\"\(color)\"/>"
    }.joined()
  }

  private func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
