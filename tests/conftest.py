"""Hypothesis profiles: ``dev`` is quick, ``ci`` looks longer; chosen by CONTRACT_HYPOTHESIS_PROFILE, else by CI."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", max_examples=200, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("CONTRACT_HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))
