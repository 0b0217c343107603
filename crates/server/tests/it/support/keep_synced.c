/* Preloaded into a process, this keeps a copy of every file below SYNC_ROOT as it was when it was last synced, in
 * SYNC_SHADOW. Those copies are what a disk is sure to hold when the power fails: whatever was written since is lost.
 *
 * Build: cc -shared -fPIC -o keep_synced.so keep_synced.c
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int copy(const char *from, const char *to) {
    static const size_t piece_bytes = 1 << 16;
    char piece[1 << 16];
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t length = -1;
    if (in >= 0 && out >= 0) {
        while ((length = read(in, piece, piece_bytes)) > 0) {
            if (write(out, piece, length) != length) {
                length = -1;
                break;
            }
        }
    }
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    return length == 0 ? 0 : -1;
}

/* Keeps a file that is being synced. Its name comes from its descriptor. */
static int keep(int descriptor) {
    const char *root = getenv("SYNC_ROOT"), *shadow = getenv("SYNC_SHADOW");
    char link[64], path[PATH_MAX], kept[PATH_MAX], next[PATH_MAX];
    struct stat about;
    if (root == NULL || shadow == NULL || fstat(descriptor, &about) != 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || !S_ISREG(about.st_mode)) return 0;
    path[length] = '\0';
    size_t prefix = strlen(root);
    if (strncmp(path, root, prefix) != 0 || path[prefix] != '/') return 0;
    snprintf(kept, sizeof kept, "%s%s", shadow, path + prefix);
    snprintf(next, sizeof next, "%s.%ld.next", kept, (long)syscall(SYS_gettid));
    /* Renamed once it is whole: a process that dies here has not been told that the sync succeeded. */
    if (copy(path, next) != 0 || rename(next, kept) != 0) {
        errno = EIO;
        return -1;
    }
    return 0;
}

int fsync(int descriptor) { return keep(descriptor); }

int fdatasync(int descriptor) { return keep(descriptor); }
