// One import for everything that a request needs: policies, identities, and TLS below them.
@_exported public import HoldfastOpenSSL
