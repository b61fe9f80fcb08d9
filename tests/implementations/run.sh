#!/usr/bin/env bash
# Runs tests on another OpenCL implementation: Mesa's rusticl, on the processor.
#
#   tests/implementations/run.sh cpu|gpu PROGRAM [ARGUMENTS]
#
# The device counts as a CPU or as a GPU, without fp64 either way. BOWHIST_TEST_RUSTICL names the
# folder of its .icd (tests/run.sh sets it). Status 77 where there is none: skipped.
set -euo pipefail
kind=$1
shift
if [ -z "${BOWHIST_TEST_RUSTICL:-}" ]; then
    echo "skipped: BOWHIST_TEST_RUSTICL names no folder with rusticl's .icd"
    exit 77
fi
export OCL_ICD_VENDORS=$BOWHIST_TEST_RUSTICL RUSTICL_ENABLE=llvmpipe RUSTICL_DEVICE_TYPE=$kind
exec "$@"
