"""Compares the parameter counts of the README's table with the generator's."""
import re
import subprocess
import sys

readme, generator = sys.argv[1:]
rows = re.findall(r"^\| `([\w-]+)` \|.*\| ([\d,]+) \|$", open(readme).read(), re.M)
for name, count in rows:
    out = subprocess.run([sys.executable, generator, name, "--count"], check=True,
                         capture_output=True, text=True).stdout.strip()
    if int(out) != int(count.replace(",", "")):
        sys.exit(f"{name}: the README says {count}, the generator {out}")
    print(name, out)
print(len(rows), "models agree")
