// Whoever imports this module has all of the client: the facade, and what carries media.
@_exported public import CarillonClientCore
@_exported public import CarillonClientMedia
