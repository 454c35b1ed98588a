// RUN: not zero-opt %s --zero-form-buckets="world-size=0" 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: not zero-opt %s --zero-form-buckets="align-bytes=48" 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: not zero-opt %s --zero-partition="stage=4" 2>&1 | FileCheck %s --check-prefix=STAGE
// RANKS: error: world-size is 0 and align-bytes 64; want at least one rank, and a power of two
// ALIGN: error: world-size is 1 and align-bytes 48; want at least one rank, and a power of two
// STAGE: error: stage is 4 and world-size 1; want a stage from 0 to 3 and at least one rank
module {}
