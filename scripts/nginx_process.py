"""An nginx for a test, with a configuration that the documentation shows."""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def documented(page, beginning):
    """The block of a page in docs that begins with these words."""
    text = (ROOT / "docs" / page).read_text()
    block = re.search(rf"^```text\n({re.escape(beginning)}.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return block.group(1)


class Nginx:
    """Starts with what belongs into `http { … }`, and listens once it is made."""

    def __init__(self, folder, port, site):
        self.folder = pathlib.Path(folder)
        site = site.replace(f"listen {port}", f"listen 127.0.0.1:{port}")
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in (
            "client_body", "proxy", "fastcgi", "scgi", "uwsgi"))
        settings = self.folder / "nginx.conf"
        settings.write_text(
            f"daemon off; master_process off; error_log {self.folder}/error.log; pid {self.folder}/nginx.pid;\n"
            f"events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{temporary}{site}}}\n")
        path = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
        nginx = shutil.which("nginx", path=path)
        if nginx is None:
            raise SystemExit("there is no nginx; scripts/setup test installs it")
        self.process = subprocess.Popen((nginx, "-p", str(self.folder), "-c", str(settings)))
        for _ in range(200):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return
            if self.process.poll() is not None:
                raise SystemExit(f"nginx has ended:\n{self.error_log()}")
            time.sleep(0.05)
        raise SystemExit("nginx does not listen")

    def error_log(self):
        log = self.folder / "error.log"
        return log.read_text() if log.exists() else ""

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
