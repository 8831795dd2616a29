// Re-exported, because the pins that are read here are its types.
@_exported public import Holdfast
