// Forwards SRTP, for the comparison with `media`. The program forwards the packets of one camera to receivers, and does
// no other work: it has no ICE, no DTLS, no RTCP, no retransmissions and no estimates of links.
//
//   srtp_forward FILE    Reads the participants from the file, and prints its process id and then its UDP port.
//
// Each line of the file describes a participant:
//
//   camera HOST PORT KEY                The program forwards the packets from this address.
//   receiver HOST PORT KEY SSRC TYPE    The program sends the packets to this address, with this SSRC and payload type.
//
// HOST is an IPv4 address. KEY is a master key and master salt of AEAD_AES_128_GCM (RFC 7714), in hexadecimal.
//
// The program receives and sends in batches of the same sizes as `media`, with the same options of the socket. The
// program joins the packets for a receiver into messages by the same rules (DatagramBatch.swift).
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <openssl/evp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure.h"

enum {
  RECEIVED = 64,       // The maximum number of datagrams of one call of recvmmsg(2).
  TURN = 256,          // After this number of received datagrams, the program sends.
  SENT = 256,          // The maximum number of datagrams of one call of sendmmsg(2).
  MOST = 2048,         // The maximum size of a datagram, in bytes.
  SEGMENTS = 64,       // The maximum number of datagrams of one message (UDP_MAX_SEGMENTS of Linux).
  MESSAGE = 65000,     // The maximum size of one message, in bytes.
  LEAST_OF_RUN = 500,  // The size of the smallest datagram that begins a run, in bytes.
  BUFFER = 4 << 20,    // The size of a socket buffer, in bytes.
  RECEIVERS = 256,
  HEADER = 12,
  TAG = 16,
  SALT = 12,
  WINDOW = 1024,
};

// The keys of one direction of a connection.
typedef struct {
  EVP_CIPHER_CTX *cipher;
  unsigned char salt[SALT];
} keys;

typedef struct {
  struct sockaddr_in address;
  keys keys;
  uint32_t ssrc;
  unsigned char type;
  uint64_t index;  // The index of the next packet: the roll-over counter and the sequence number.
  int run;         // The run of the current batch that another datagram may extend, or -1.
} receiver;

// Datagrams that are sent to one receiver as one message. All datagrams except the last have the same size.
typedef struct {
  receiver *to;
  int count, bytes, parts[SEGMENTS];
} run;

static int udp;
static struct sockaddr_in camera;
static keys camera_keys;
static uint64_t highest, window[WINDOW / 64];
static receiver receivers[RECEIVERS];
static int receiver_count;

static unsigned char incoming[RECEIVED][MOST], outgoing[SENT][MOST], clear[MOST];
static int outgoing_bytes[SENT], outgoing_count;
static run runs[SENT];
static int run_count;

// Derives a session key (RFC 3711, section 4.3, with a key derivation rate of 0).
static void derive(const unsigned char *master, int label, unsigned char *key, int count) {
  unsigned char vector[16] = {0};
  memcpy(vector, master + 16, SALT);
  vector[7] ^= (unsigned char)label;
  memset(key, 0, (size_t)count);
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  need(cipher && EVP_EncryptInit_ex(cipher, EVP_aes_128_ctr(), NULL, master, vector), "key derivation");
  need(EVP_EncryptUpdate(cipher, key, &count, key, count), "key derivation");
  EVP_CIPHER_CTX_free(cipher);
}

static keys read_keys(const char *text, int encrypts) {
  unsigned char master[16 + SALT] = {0}, key[16];
  need(strlen(text) == 2 * sizeof master, "a key of 28 bytes");
  for (size_t at = 0; at < sizeof master; at++)
    need(sscanf(text + 2 * at, "%2hhx", &master[at]) == 1, "a hexadecimal key");
  keys made = {.cipher = EVP_CIPHER_CTX_new()};
  derive(master, 0, key, sizeof key);
  derive(master, 2, made.salt, SALT);
  need(made.cipher && EVP_CipherInit_ex(made.cipher, EVP_aes_128_gcm(), NULL, key, NULL, encrypts), "AES-GCM");
  return made;
}

static uint32_t word(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put(unsigned char *bytes, uint64_t value, int count) {
  for (int at = count - 1; at >= 0; at--, value >>= 8) bytes[at] = (unsigned char)value;
}

// Begins a packet: sets the initialization vector (RFC 7714, section 8.1), and authenticates the header.
static void begin(const keys *keys, uint32_t ssrc, uint64_t index, const unsigned char *header, int header_bytes) {
  unsigned char vector[SALT] = {0};
  int written;
  put(vector + 2, ssrc, 4);
  put(vector + 6, index, 6);
  for (int at = 0; at < SALT; at++) vector[at] ^= keys->salt[at];
  need(EVP_CipherInit_ex(keys->cipher, NULL, NULL, NULL, vector, -1), "initial vector");
  need(EVP_CipherUpdate(keys->cipher, NULL, &written, header, header_bytes), "header");
}

// MARK: Receiving

// Returns the index of a packet of the camera (RFC 3711, section 3.3.1).
static uint64_t index_of(uint16_t sequence) {
  uint64_t index = (highest & ~0xffffull) | sequence;
  if (index + 0x8000 < highest) return index + 0x10000;
  if (index > highest + 0x8000 && index >= 0x10000) return index - 0x10000;
  return index;
}

static int is_repeated(uint64_t index) {
  if (index > highest) return 0;
  return highest - index >= WINDOW || (window[index % WINDOW / 64] >> index % 64 & 1);
}

static void record(uint64_t index) {
  if (index > highest + WINDOW) memset(window, 0, sizeof window), highest = index;
  for (; highest < index; highest++) window[(highest + 1) % WINDOW / 64] &= ~(1ull << (highest + 1) % 64);
  window[index % WINDOW / 64] |= 1ull << index % 64;
}

// Returns the size of a packet's header with contributors and extension, or 0 if the packet is too short.
static int header_bytes(const unsigned char *packet, int count) {
  if (count < HEADER + TAG) return 0;
  int bytes = HEADER + 4 * (packet[0] & 0xf);
  if (packet[0] & 0x10) {
    if (count < bytes + 4) return 0;
    bytes += 4 + 4 * (packet[bytes + 2] << 8 | packet[bytes + 3]);
  }
  return bytes + TAG <= count ? bytes : 0;
}

// Decrypts a packet of the camera into `clear`.
//
// Returns the size of the payload, or -1 for a packet that is not authentic, is a repetition or is not RTP.
static int open_packet(unsigned char *packet, int count) {
  int header = header_bytes(packet, count), written;
  if (!header || packet[0] >> 6 != 2 || (packet[1] >= 192 && packet[1] <= 223)) return -1;
  int payload = count - header - TAG;
  uint64_t index = index_of((uint16_t)(packet[2] << 8 | packet[3]));
  if (is_repeated(index)) return -1;
  begin(&camera_keys, word(packet + 8), index, packet, header);
  need(EVP_CipherUpdate(camera_keys.cipher, clear, &written, packet + header, payload), "decryption");
  need(EVP_CIPHER_CTX_ctrl(camera_keys.cipher, EVP_CTRL_AEAD_SET_TAG, TAG, packet + count - TAG), "tag");
  if (EVP_CipherFinal_ex(camera_keys.cipher, clear + written, &written) != 1) return -1;
  record(index);
  return payload;
}

// MARK: Sending

// Sends the datagrams of the batch. Drops the datagrams that the kernel does not accept.
static void send_all(void) {
  static struct mmsghdr messages[SENT];
  static struct iovec parts[SENT];
  static union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(uint16_t))];
  } controls[SENT];
  int part = 0;
  for (int at = 0; at < run_count; at++) {
    run *each = &runs[at];
    struct msghdr *header = &messages[at].msg_hdr;
    *header = (struct msghdr){.msg_name = &each->to->address, .msg_namelen = sizeof each->to->address};
    header->msg_iov = &parts[part];
    header->msg_iovlen = (size_t)each->count;
    for (int of = 0; of < each->count; of++, part++)
      parts[part] = (struct iovec){outgoing[each->parts[of]], (size_t)outgoing_bytes[each->parts[of]]};
    each->to->run = -1;
    if (each->count < 2) continue;
    header->msg_control = &controls[at];
    header->msg_controllen = sizeof controls[at].bytes;
    controls[at].header = (struct cmsghdr){CMSG_LEN(sizeof(uint16_t)), SOL_UDP, UDP_SEGMENT};
    uint16_t size = (uint16_t)outgoing_bytes[each->parts[0]];
    memcpy(CMSG_DATA(&controls[at].header), &size, sizeof size);
  }
  for (int next = 0; next < run_count;) {
    int taken = sendmmsg(udp, messages + next, (unsigned)(run_count - next), MSG_DONTWAIT);
    if (taken <= 0 && errno == EAGAIN) break;
    next += taken > 0 ? taken : 1;
  }
  outgoing_count = run_count = 0;
}

// Adds the last datagram of the batch to the receiver's run. If the run has no room for it, begins another run.
static void join_run(receiver *to) {
  int datagram = outgoing_count - 1, size = outgoing_bytes[datagram];
  if (to->run >= 0) {
    run *open = &runs[to->run];
    int usual = outgoing_bytes[open->parts[0]];
    if (size <= usual && open->count < SEGMENTS && open->bytes + size <= MESSAGE) {
      open->parts[open->count++] = datagram;
      open->bytes += size;
      if (size < usual) to->run = -1;
      return;
    }
  }
  to->run = size >= LEAST_OF_RUN ? run_count : -1;
  run *made = &runs[run_count++];
  *made = (run){.to = to, .count = 1, .bytes = size, .parts = {datagram}};
}

// Encrypts a packet for a receiver: the camera's packet with another SSRC, sequence number and payload type.
static void forward(const unsigned char *header, int payload, receiver *to) {
  if (outgoing_count == SENT) send_all();
  unsigned char *packet = outgoing[outgoing_count];
  int written;
  packet[0] = (unsigned char)(0x80 | (header[0] & 0x20));
  packet[1] = (unsigned char)((header[1] & 0x80) | to->type);
  put(packet + 2, to->index & 0xffff, 2);
  memcpy(packet + 4, header + 4, 4);
  put(packet + 8, to->ssrc, 4);
  begin(&to->keys, to->ssrc, to->index, packet, HEADER);
  need(EVP_CipherUpdate(to->keys.cipher, packet + HEADER, &written, clear, payload), "encryption");
  need(EVP_CipherFinal_ex(to->keys.cipher, packet + HEADER + written, &written), "encryption");
  need(EVP_CIPHER_CTX_ctrl(to->keys.cipher, EVP_CTRL_AEAD_GET_TAG, TAG, packet + HEADER + payload), "tag");
  to->index++;
  outgoing_bytes[outgoing_count++] = HEADER + payload + TAG;
  join_run(to);
}

static void receive_all(void) {
  static struct mmsghdr messages[RECEIVED];
  static struct iovec parts[RECEIVED];
  static struct sockaddr_in names[RECEIVED];
  int count, received = 0;
  do {
    for (int at = 0; at < RECEIVED; at++) {
      parts[at] = (struct iovec){incoming[at], MOST};
      messages[at].msg_hdr = (struct msghdr){&names[at], sizeof names[at], &parts[at], 1, NULL, 0, 0};
    }
    count = recvmmsg(udp, messages, RECEIVED, MSG_DONTWAIT, NULL);
    for (int at = 0; at < count; at++) {
      if (names[at].sin_port != camera.sin_port || names[at].sin_addr.s_addr != camera.sin_addr.s_addr) continue;
      int payload = open_packet(incoming[at], (int)messages[at].msg_len);
      if (payload < 0) continue;
      for (int to = 0; to < receiver_count; to++) forward(incoming[at], payload, &receivers[to]);
    }
    received += count > 0 ? count : 0;
  } while (count == RECEIVED && received < TURN);
  send_all();
}

// MARK: The participants

static void open_socket(void) {
  struct sockaddr_in name = {.sin_family = AF_INET};
  socklen_t size = sizeof name;
  int bytes = BUFFER;
  udp = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  need(udp >= 0 && !bind(udp, (struct sockaddr *)&name, size), "a UDP socket");
  if (setsockopt(udp, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof bytes))
    setsockopt(udp, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  if (setsockopt(udp, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes))
    setsockopt(udp, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  need(!getsockname(udp, (struct sockaddr *)&name, &size), "the port of the socket");
  printf("%d\n%d\n", getpid(), ntohs(name.sin_port));
  fflush(stdout);
}

static struct sockaddr_in address(const char *host, unsigned port) {
  struct sockaddr_in made = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  need(inet_pton(AF_INET, host, &made.sin_addr) == 1, "an IPv4 address");
  return made;
}

static void add(const char *line) {
  char host[64], key[128];
  unsigned port, ssrc, type;
  if (sscanf(line, "camera %63s %u %127s", host, &port, key) == 3) {
    camera = address(host, port);
    camera_keys = read_keys(key, 0);
    return;
  }
  need(receiver_count < RECEIVERS, "fewer receivers");
  need(sscanf(line, "receiver %63s %u %127s %u %u", host, &port, key, &ssrc, &type) == 5, "a camera or a receiver");
  receivers[receiver_count++] = (receiver){address(host, port), read_keys(key, 1), ssrc, (unsigned char)type, 1, -1};
}

int main(int argc, char **argv) {
  char line[256];
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  need(file != NULL, "srtp_forward FILE");
  while (fgets(line, sizeof line, file)) add(line);
  fclose(file);
  need(camera.sin_port && receiver_count, "a camera and receivers");
  open_socket();
  struct pollfd polled = {.fd = udp, .events = POLLIN};
  while (poll(&polled, 1, -1) >= 0) receive_all();
  stop("poll");
}
