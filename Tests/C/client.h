/* What the clients of the tests have in common. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connects to a port of this machine; if there is one, through the proxy at another port, which is asked for the host. */
static inline int connected(const char *port, const char *host, const char *proxy) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(proxy ? proxy : port))};
  char text[1024];
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int file = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(file, (struct sockaddr *)&address, sizeof address)) exit(2);
  if (!proxy) return file;
  int size = snprintf(text, sizeof text, "CONNECT %s:%s HTTP/1.1\r\nHost: %s:%s\r\n\r\n", host, port, host, port);
  if (size >= (int)sizeof text || send(file, text, (size_t)size, 0) != size) exit(2);
  /* One byte at a time, because what follows the answer is the server's. */
  size_t count = 0;
  while (count < 4 || memcmp(text + count - 4, "\r\n\r\n", 4)) {
    if (count == sizeof text || recv(file, text + count, 1, 0) != 1) exit(2);
    count++;
  }
  if (count < 12 || memcmp(text + 8, " 200", 4)) exit(2);
  return file;
}
