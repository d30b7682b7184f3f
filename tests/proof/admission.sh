#!/bin/sh
# Who gets in and what a signal does: see door.py.
#   sh tests/proof/admission.sh BUILD [TEST ...]
exec python3 tests/proof/admission.py "$@"
