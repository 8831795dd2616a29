@_exported public import Holdfast
