/// Which remote videos keep their quality longest when bandwidth is short.
public enum VideoPriority: Int, Sendable {
  case lowest = 0
  case low = 10
  case medium = 20
  case high = 30
  case highest = 40
}
