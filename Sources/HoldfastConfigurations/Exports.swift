// The pins that are read here are those of that module.
@_exported public import Holdfast
