// Importing this module imports the whole client: the facade and the media engine.
@_exported public import CarillonClientCore
@_exported public import CarillonClientMedia
