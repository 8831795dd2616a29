// One import for everything: certificates (with `OID`, `Timestamp` and the reader's errors), paths and
// requirements on issuance, revocation filters and log lists.
@_exported public import HoldfastCertificates
@_exported public import HoldfastFilters
@_exported public import HoldfastPaths
@_exported public import HoldfastTransparency
