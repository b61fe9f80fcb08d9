"""A server of a library, `bowhist serve`, and talks with it: by HTTP, and byte by byte."""
import contextlib
import http.client
import json
import os
import pathlib
import resource
import signal
import socket
import subprocess


class Server:
    def __init__(self, library, *arguments, folder=None, environment=None, limits=()):
        def prepare():
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs tests in the background has them ignore it
            for kind, most in limits:
                resource.setrlimit(kind, (most, most))

        self.process = subprocess.Popen(
            [os.environ["BOWHIST"], "serve", library, "--port", "0", *arguments], cwd=folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, **(environment or {})},
            preexec_fn=prepare)
        self.address = self.process.stdout.readline().decode().strip()
        if not self.address:
            raise AssertionError(self.process.communicate()[1].decode())
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def connect(self, timeout=30):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def ask(self, path, method="GET", body=None, headers=None):
        """@return the status, the heads and the body"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def json(self, path, method="GET", body=None, headers=None, status=200):
        got, _, text = self.ask(path, method, body, headers)
        assert got == status, (got, text)
        return json.loads(text)

    def say(self, text):
        """Sends these bytes. @return all that is answered until the server closes"""
        with self.connect() as client:
            client.sendall(text)
            client.shutdown(socket.SHUT_WR)
            answer = b""
            while part := client.recv(65536):
                answer += part
            return answer

    def memory(self):
        """MiB that it holds now."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024

    def children(self):
        children = 0
        for thread in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it ended meanwhile
                children += len((thread / "children").read_text().split())
        return children

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def end(self, what=signal.SIGINT):
        """@return its exit status and what it said"""
        self.process.send_signal(what)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said.decode()
