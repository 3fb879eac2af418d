/// A request for an operation, from a caller who has the right to use this operation.
struct RESTCall: Sendable {
  let face: RESTHandler
  let request: RESTRequest
  let query: QueryParameters
  let route: RESTRoute
  let caller: Caller
}
