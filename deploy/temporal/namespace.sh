#!/bin/sh
# Makes the namespace where it is missing. Can be run at every start.
# TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE say where, RETENTION how long ended workflows can be looked at.
set -eu

temporal operator cluster health
if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null; then
  echo "the namespace $TEMPORAL_NAMESPACE is there"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
fi
