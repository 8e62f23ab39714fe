"""
Hypothesis profiles, chosen by CONTRACT_HYPOTHESIS_PROFILE, else by CI.

``dev`` is the usual one, ``ci`` looks longer, and ``brief`` is for the suites beside the first.
"""

import os
import signal

from hypothesis import HealthCheck, settings

# A shell starts jobs in the background with Ctrl-C ignored, and what they start would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("brief", max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", max_examples=60, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("CONTRACT_HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))
