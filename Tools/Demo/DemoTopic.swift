/// The topics of the demo's data messages, one for each step.
enum DemoTopic: String, CaseIterable {
  case bytes = "demo-bytes"
  case late = "demo-late"
  case burst = "demo-burst"
  case load = "demo-load"
  case browser = "demo-browser"
  case audience = "demo-audience"
}
