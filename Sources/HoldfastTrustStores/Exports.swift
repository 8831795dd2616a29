// Re-exported, because what is decided here is decided by its types.
@_exported public import Holdfast
