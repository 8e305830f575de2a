"""A server of HyperQueue, or a worker that joins it: a process of its own, which can be killed.

usage: hq.py server|worker FOLDER-OF-THE-SERVER
"""

import os
import sys
import tempfile

from hyperqueue.ffi.cluster import Cluster

role, server = sys.argv[1:]
if role == "server":
    cluster = Cluster(server)
else:
    # The package has workers only beside a server of their own. They join the server that is named in
    # its folder: after this, the other one.
    own = tempfile.mkdtemp(dir=server)
    cluster = Cluster(own)
    os.remove(os.path.join(own, "hq-current"))
    os.symlink(os.path.join(server, "hq-current"), os.path.join(own, "hq-current"))
    cluster.add_worker(1)
print("ready", flush=True)
sys.stdin.read()
