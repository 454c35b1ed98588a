"""Prints metadata, then name, dtype, shape and values of each tensor of a file."""
import json
import struct
import sys

content = open(sys.argv[1], "rb").read()
(size,) = struct.unpack("<Q", content[:8])
header = json.loads(content[8:8 + size])
tensors = content[8 + size:]
print("metadata", json.dumps(header.pop("__metadata__"), sort_keys=True))
end = 0
for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
    begin, stop = entry["data_offsets"]
    assert begin == end, "tensors must follow each other"
    end = stop
    assert entry["dtype"] == "F32"
    values = struct.unpack("<%df" % ((stop - begin) // 4), tensors[begin:stop])
    print(name, entry["dtype"], entry["shape"], list(values))
assert end == len(tensors), "the file must end with the last tensor"
