// Who reads DER also needs its errors and times.
@_exported public import HoldfastBase
