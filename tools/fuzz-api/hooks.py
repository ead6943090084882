"""Puts ids of real things where schemathesis makes ids up, most of the time: otherwise nearly every answer would be a 404."""

import json
import os
import random
import re

import schemathesis

with open(os.environ["FUZZ_SEEDS"], encoding="utf-8") as file:
    SEEDS = json.load(file)

ID = re.compile(r"^([A-Z][A-Za-z]+)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
SHARE = 0.85


def real(value, name=""):
    if isinstance(value, dict):
        return {key: real(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [real(inner, name) for inner in value]
    if not isinstance(value, str) or random.random() > SHARE:
        return value
    if name in ("feature_slug", "feature") and value:
        return random.choice(SEEDS["feature_slug"])
    found = ID.match(value)
    known = SEEDS.get(found.group(1)) if found else None
    return random.choice(known) if known else value


def hook(name):
    def replace(context, given):
        return real(given) if isinstance(given, (dict, list)) else given

    replace.__name__ = name
    schemathesis.hook(replace)


for name in ("map_body", "map_path_parameters", "map_query"):
    hook(name)
