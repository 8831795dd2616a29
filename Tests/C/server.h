/* What the servers of the tests have in common. */
#include <arpa/inet.h>
#include <holdfast.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

/* Listens on a free port of this machine, and prints it. */
static inline int listening(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  signal(SIGPIPE, SIG_IGN);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int file = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(file, (struct sockaddr *)&address, size) || listen(file, 8)
      || getsockname(file, (struct sockaddr *)&address, &size)) {
    exit(2);
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return file;
}

/* The policy for a connection: the first one knows of no revocations. */
static inline holdfast_policy *policy_of(const char *anchors, const char *crl, int connection) {
  holdfast_policy *policy = NULL;
  holdfast_policy_new(&policy);
  holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT(anchors), 0);
  FILE *file = connection > 0 && crl[0] ? fopen(crl, "r") : NULL;
  if (file) {
    char text[1 << 14];
    holdfast_policy_add_crls(policy, text, fread(text, 1, sizeof text, file));
    fclose(file);
  }
  return policy;
}
