/// A request for an operation by a caller who may use it.
struct RESTCall: Sendable {
  let face: RESTHandler
  let request: RESTRequest
  let query: QueryParameters
  let route: RESTRoute
  let caller: Caller
}
