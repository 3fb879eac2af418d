/// How a content share ended.
public enum ContentShareStatusCode: Int, CaseNamed {
  case ok = 0
  case videoServiceFailed = 1
}
