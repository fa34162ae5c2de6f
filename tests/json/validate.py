"""Checks the JSON objects on standard input, one a line, by docs/schema.json with a public validator of JSON Schema.

Exit status 1 if an object does not fit, 77 if Python has no `jsonschema`."""

import json
import sys

try:
    from jsonschema import Draft202012Validator as Validator
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
Validator.check_schema(schema)
validator = Validator(schema)
objects = [json.loads(line) for line in sys.stdin]
errors = [f"{error.json_path}: {error.message[:500]}" for it in objects for error in validator.iter_errors(it)]
print("\n".join(errors) or f"{len(objects)} objects fit")
sys.exit(1 if errors else 0)
