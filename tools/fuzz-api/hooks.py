"""Puts ids of real things where schemathesis makes ids up, most of the time: otherwise nearly every response would be a 404."""

import atexit
import collections
import json
import os
import re
import secrets
import zlib

import schemathesis

with open(os.environ["FUZZ_SEEDS"], encoding="utf-8") as file:
    SEEDS = json.load(file)

ID = re.compile(r"^([A-Z][A-Za-z]+)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
LEFT_ALONE = 8


def one(choices, value):
    """The same made-up value always becomes the same real one; every eighth stays as it is."""
    number = zlib.crc32(value.encode("utf-8", "surrogatepass"))
    return value if number % LEFT_ALONE == 0 else choices[number // LEFT_ALONE % len(choices)]


def real(value, name=""):
    if isinstance(value, dict):
        return {key: real(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [real(inner, name) for inner in value]
    if not isinstance(value, str):
        return value
    if name in ("feature_slug", "feature") and value:
        return one(SEEDS["feature_slug"], value)
    found = ID.match(value)
    known = SEEDS.get(found.group(1)) if found else None
    return one(known, value) if known else value


def hook(name):
    def replace(context, given):
        return real(given) if isinstance(given, (dict, list)) else given

    replace.__name__ = name
    schemathesis.hook(replace)


for name in ("map_body", "map_query"):
    hook(name)

# What these do would make the others' responses all alike, so it is done to things of their own.
APART = {"/inactivate": ("customer_id", "frozen"), "/advance": ("test_clock_id", "advancing")}


@schemathesis.hook
def map_path_parameters(context, given):
    if not isinstance(given, dict):
        return given
    for ending, (parameter, seeds) in APART.items():
        if context.operation.path.endswith(ending) and ID.match(str(given.get(parameter))):
            return {**given, parameter: SEEDS[seeds][0]}
    return real(given)


VALID_KEY = re.compile(r"^[\x21-\x7e]{1,255}$")


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key used again with another body is a 409 and nothing more; one in eight is enough of that."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and VALID_KEY.match(key) and secrets.randbelow(LEFT_ALONE) != 0:
        case.headers["Idempotency-Key"] = secrets.token_hex(16)


TALLY = collections.Counter()


@schemathesis.hook
def after_call(context, case, response):
    try:
        code = response.json().get("code", "")
    except (AttributeError, ValueError):
        code = ""
    TALLY[f"{response.status_code} {code}".strip()] += 1


@atexit.register
def tell():
    """How often each response came: a run of 404s alone would have proved little."""
    for answer, count in sorted(TALLY.items()):
        print(f"{count:7d}  {answer}")
