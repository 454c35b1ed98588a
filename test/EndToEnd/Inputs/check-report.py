"""Checks the reports of --compile-only and of 3 steps of tokens.mlir, stage 3, 2 ranks."""
import json, sys
plan, run = (json.load(open(path)) for path in sys.argv[1:])
for report in plan, run:
    assert report["stage"] == 3 and report["world_size"] == 2
    assert report["target"] == "cpu" and report["precision"] == "f32"
    assert report["compile_seconds"] > 0 and report["unique_kernels"] > 0
    assert len(report["fingerprint"]) == 32
assert plan["fingerprint"] == run["fingerprint"]
assert plan["steps"] == 0 and plan["losses"] == [] and "measured" not in plan
assert run["steps"] == 3 and len(run["losses"]) == 3
assert run["step_seconds"]["min"] <= run["step_seconds"]["median"] <= run["step_seconds"]["max"]
planned, measured = run["planned"], run["measured"]
assert all(planned[key] == measured[key] for key in measured), (planned, measured)
one = plan["planned"]
assert one["steps"] == 1 and planned["steps"] == 3
for kind in "all_gather", "reduce_scatter", "all_reduce":
    for count in "count", "bytes_sent":
        assert planned["collectives"][kind][count] == 3 * one["collectives"][kind][count]
# 256 elements of f32 over 2 ranks: half of each is sent.
assert one["collectives"]["reduce_scatter"] == {"count": 1, "bytes_sent": 512}
assert one["collectives"]["all_reduce"]["count"] == 0
assert one["device_bytes"] == one["persistent_bytes"] + one["transient_bytes"]
# So small a model keeps its bucket whole: cutting would raise the plan.
assert one["state_bytes"]["parameters"] == 1024
assert [w["bytes"] for w in plan["kept_whole"]] == [512]
assert run["packing_copy_bytes"] == 0
