// `Timestamp`, `OID`, `Octets` and the errors of the reader are part of what a certificate says, and
// so is the name of a hash function; a user of this module needs no second import for them.
@_exported public import HoldfastDER
@_exported public import HoldfastHashes
