"""A proxy that connects each client to the port of this machine that its CONNECT names, whatever the host.

Prints its own port, then the host and port of each request.
"""

import contextlib
import socket
import threading


def copy(source, target):
    # One of the two may be gone; then the other is told, too.
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def serve(client):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = client.recv(1)
        if not byte:
            return
        head += byte
    target = head.split(b" ")[1].decode()
    print(target, flush=True)
    server = socket.create_connection(("127.0.0.1", int(target.rpartition(":")[2])))
    client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
    back = threading.Thread(target=copy, args=(server, client))
    back.start()
    copy(client, server)
    back.join()
    server.close()
    client.close()


listener = socket.create_server(("127.0.0.1", 0), backlog=64)
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
