/// An operation's request, with a caller who may use the operation.
struct RESTCall: Sendable {
  let face: RESTHandler
  let request: RESTRequest
  let query: QueryParameters
  let route: RESTRoute
  let caller: Caller
}
