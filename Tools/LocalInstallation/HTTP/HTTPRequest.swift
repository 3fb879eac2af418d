internal import Output

/// A request: method, path with query, and a JSON body if it has one.
package struct HTTPRequest: Hashable, Sendable {
  package enum Method: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  package let method: Method
  package let path: String
  package let json: String?

  package init(_ method: Method, _ path: String, json: String? = nil) {
    self.method = method
    self.path = path
    self.json = json
  }

  /// The request as it is sent; it asks for the connection to be closed behind the response.
  package func bytes(host: String) -> [UInt8] {
    var head = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    if json != nil { head += "Content-Type: application/json\r\n" }
    if json != nil || method != .get { head += "Content-Length: \(json?.utf8.count ?? 0)\r\n" }
    return Array("\(head)\r\n\(json ?? "")".utf8)
  }
}
