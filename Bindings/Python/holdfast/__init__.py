"""Is a chain of X.509 certificates trusted, and if not, why?

    policy = holdfast.Policy(pins={"**.example.com": ["sha256/...", "sha256/..."]})
    answer = policy.verify(chain, host="www.example.com")
    print(answer.trusted, answer.reason)

    context = holdfast.SSLContext(policy=policy)     # for urllib, http.client, asyncio, httpx, aiohttp
    holdfast.inject_into_ssl(policy)                 # for everything that makes a context of its own
"""

from ._policy import Answer, Error, Policy, version
from ._ssl import SSLContext, extract_from_ssl, inject_into_ssl

__all__ = ["Answer", "Error", "Policy", "SSLContext", "extract_from_ssl", "inject_into_ssl", "version"]
__version__ = version()
