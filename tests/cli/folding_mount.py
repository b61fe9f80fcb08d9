"""A file system that folds the case of names, as exFAT does through FUSE: `Photos` and `photos` lead to one folder, and each
spelling has an inode number of its own.

    with FoldingMount(backing, place):      # what is in the folder `backing` shows at the folder `place`
        ...

It speaks the protocol of /dev/fuse itself, which needs root. Where that is not had, MISSING says why.
"""
import ctypes
import errno
import os
import stat
import struct
import subprocess
import sys
import unittest

MISSING = "" if os.geteuid() == 0 and os.access("/dev/fuse", os.R_OK | os.W_OK) else "mounting through FUSE needs root and /dev/fuse"
LIBC = ctypes.CDLL(None, use_errno=True)


class FoldingMount:
    def __init__(self, backing, place):
        self.place = place
        self.server = subprocess.Popen([sys.executable, "-B", __file__, backing, place], stdout=subprocess.PIPE)
        if self.server.stdout.readline() != b"ready\n":
            self.server.wait()
            raise unittest.SkipTest("this machine does not let a test mount through FUSE")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        LIBC.umount2(os.fsencode(self.place), 2)  # also while something is open there
        self.server.communicate(timeout=20)


class Folding:
    """Answers the kernel's requests. A node is a name as it was asked for, in its parent."""

    def __init__(self, device, backing):
        self.device = device
        self.nodes = {1: os.fsencode(backing)}
        self.ids = {self.nodes[1]: 1}

    def path_of(self, parent, name):
        """The node's own name for it: as it was asked for."""
        return os.path.join(self.nodes[parent], name)

    def real(self, path):
        """What it leads to: names are found without case."""
        backing = self.nodes[1]
        if path == backing:
            return path
        folder = self.real(os.path.dirname(path))
        name = os.path.basename(path)
        folded = os.fsdecode(name).casefold()
        for listed in os.listdir(folder):
            if os.fsdecode(listed).casefold() == folded:
                return os.path.join(folder, listed)
        return os.path.join(folder, name)

    def node(self, path):
        if path not in self.ids:
            self.ids[path] = max(self.nodes) + 1
            self.nodes[self.ids[path]] = path
        return self.ids[path]

    def attributes(self, path):
        s = os.lstat(self.real(path))
        seconds = [time // 10**9 for time in (s.st_atime_ns, s.st_mtime_ns, s.st_ctime_ns)]
        rests = [time % 10**9 for time in (s.st_atime_ns, s.st_mtime_ns, s.st_ctime_ns)]
        return struct.pack("<6Q10I", self.node(path), s.st_size, s.st_blocks, *seconds, *rests, s.st_mode, s.st_nlink, s.st_uid, s.st_gid,
                           0, 4096, 0)

    def entry(self, path):
        attributes = self.attributes(path)
        return struct.pack("<4Q2I", self.node(path), 0, 0, 0, 0, 0) + attributes

    def answer(self, opcode, node, body):
        path = self.nodes.get(node)
        if opcode == 26:  # INIT
            return struct.pack("<4I2H2I2H8I", 7, 31, 65536, 0, 8, 8, 65536, 1, 16, 0, *[0] * 8)
        if opcode == 1:  # LOOKUP
            return self.entry(self.path_of(node, body[:-1]))
        if opcode == 3:  # GETATTR
            return struct.pack("<Q2I", 0, 0, 0) + self.attributes(path)
        if opcode == 4:  # SETATTR
            return self.set_attributes(path, body)
        if opcode == 9:  # MKDIR
            made = self.path_of(node, body[8:-1])
            os.mkdir(self.real(made), struct.unpack_from("<I", body)[0])
            return self.entry(made)
        if opcode in (10, 11):  # UNLINK, RMDIR
            (os.unlink if opcode == 10 else os.rmdir)(self.real(self.path_of(node, body[:-1])))
            return b""
        if opcode in (12, 45):  # RENAME, RENAME2
            before, after = body[8 if opcode == 12 else 16:-1].split(b"\0")
            target = self.path_of(struct.unpack_from("<Q", body)[0], after)
            os.rename(self.real(self.path_of(node, before)), self.real(target))
            return b""
        if opcode in (14, 27):  # OPEN, OPENDIR
            return struct.pack("<QIi", 0, 0, 0)
        if opcode == 15:  # READ
            _, offset, size = struct.unpack_from("<QQI", body)
            with open(self.real(path), "rb") as file:
                return os.pread(file.fileno(), size, offset)
        if opcode == 16:  # WRITE
            _, offset, size = struct.unpack_from("<QQI", body)
            with open(self.real(path), "r+b") as file:
                return struct.pack("<2I", os.pwrite(file.fileno(), body[40:40 + size], offset), 0)
        if opcode == 17:  # STATFS
            return struct.pack("<5Q4I6I", 10**6, 10**6, 10**6, 10**6, 10**6, 4096, 255, 4096, 0, *[0] * 6)
        if opcode in (18, 20, 25, 29, 30):  # RELEASE, FSYNC, FLUSH, RELEASEDIR, FSYNCDIR
            return b""
        if opcode == 28:  # READDIR
            return self.listing(path, *struct.unpack_from("<QQI", body)[1:])
        if opcode == 35:  # CREATE
            made = self.path_of(node, body[16:-1])
            os.close(os.open(self.real(made), os.O_CREAT | os.O_WRONLY, struct.unpack_from("<2I", body)[1]))
            return self.entry(made) + struct.pack("<QIi", 0, 0, 0)
        raise OSError(errno.ENOSYS, "")

    def set_attributes(self, path, body):
        valid, _, _, size, _, atime, mtime, _, atime_rest, mtime_rest, _, mode = struct.unpack_from("<2I6Q4I", body)
        real = self.real(path)
        if valid & 1:
            os.chmod(real, stat.S_IMODE(mode))
        if valid & 8:
            os.truncate(real, size)
        if valid & 0x30 and not valid & 0x180:
            now = os.stat(real)
            os.utime(real, ns=(atime * 10**9 + atime_rest if valid & 0x10 else now.st_atime_ns,
                               mtime * 10**9 + mtime_rest if valid & 0x20 else now.st_mtime_ns))
        return struct.pack("<Q2I", 0, 0, 0) + self.attributes(path)

    def listing(self, path, offset, size):
        text = b""
        for place, name in list(enumerate([b".", b"..", *sorted(os.listdir(self.real(path)))], 1))[offset:]:
            kind = stat.S_IFMT(os.lstat(os.path.join(self.real(path), name)).st_mode) >> 12
            row = struct.pack("<2Q2I", 2**40 + place, place, len(name), kind) + name
            row += bytes(-len(row) % 8)
            if len(text) + len(row) > size:
                break
            text += row
        return text

    def serve(self):
        while True:
            try:
                request = os.read(self.device, 2**20)
            except OSError as error:
                if error.errno == errno.ENODEV:  # unmounted
                    return
                continue
            _, opcode, unique, node = struct.unpack_from("<2I2Q", request)
            if opcode in (2, 36, 42):  # FORGET, INTERRUPT, BATCH_FORGET
                continue
            try:
                body, failed = self.answer(opcode, node, request[40:]), 0
            except OSError as error:
                body, failed = b"", -error.errno
            try:
                os.write(self.device, struct.pack("<IiQ", 16 + len(body), failed, unique) + body)
            except OSError:
                pass  # who asked is gone


if __name__ == "__main__":
    opened = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={opened},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
    if LIBC.mount(b"folding", os.fsencode(sys.argv[2]), b"fuse.folding", 6, options) == 0:
        print("ready", flush=True)
        Folding(opened, sys.argv[1]).serve()
