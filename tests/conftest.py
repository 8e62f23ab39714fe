"""
Hypothesis profiles, chosen by CONTRACT_HYPOTHESIS_PROFILE, else by CI.

``dev`` is the usual one, and draws anew each time. ``ci`` draws half of that, always the same: what
it says is the change's doing. ``brief`` is for the suites beside the first.
"""

import os
import signal

from hypothesis import HealthCheck, settings

# A shell starts jobs in the background with Ctrl-C ignored, and what they start would ignore it,
# too.
signal.signal(signal.SIGINT, signal.default_int_handler)

_SLOW = [HealthCheck.too_slow]
settings.register_profile(
    "dev", max_examples=50, derandomize=False, deadline=None, suppress_health_check=_SLOW
)
settings.register_profile(
    "ci",
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=_SLOW,
)
settings.register_profile("brief", settings.get_profile("ci"), max_examples=10)
settings.load_profile(
    os.environ.get("CONTRACT_HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)
