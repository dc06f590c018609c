"""B30: a helper process in a session of its own outlives the server (here, for 50 seconds at most)."""

import subprocess
import sys

import mini

COMMAND = [sys.executable, "-S", "-c", "import time; time.sleep(50)"]


class SpawningServer(mini.Server):
    def started(self) -> None:
        nothing = subprocess.DEVNULL
        self.helper = subprocess.Popen(
            COMMAND, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
        print(self.helper.pid, file=sys.stderr, flush=True)

    def ended(self) -> None:
        if not mini.PLANTED:
            self.helper.kill()
            self.helper.wait()


SpawningServer().run()
