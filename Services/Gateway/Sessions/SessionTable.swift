import Bus
import MeetingModel

/// The sessions of this gateway, by id and by the connection they came by.
struct SessionTable {
  private var byID: [SessionID: Session] = [:]
  private var byRoute: [Route: SessionID] = [:]
  private var routes: [SessionID: Route] = [:]

  var count: Int { byID.count }
  var all: [Session] { Array(byID.values) }

  subscript(id: SessionID) -> Session? { byID[id] }
  subscript(route: Route) -> Session? { byRoute[route].flatMap { byID[$0] } }

  mutating func insert(_ session: Session, at route: Route) {
    byID[session.id] = session
    byRoute[route] = session.id
    routes[session.id] = route
  }

  @discardableResult
  mutating func remove(_ id: SessionID) -> Session? {
    if let route = routes.removeValue(forKey: id), byRoute[route] == id { byRoute[route] = nil }
    return byID.removeValue(forKey: id)
  }
}
