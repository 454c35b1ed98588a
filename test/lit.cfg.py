import os
import shutil

import lit.formats
import lit.llvm

lit.llvm.initialize(lit_config, config)
from lit.llvm import llvm_config

config.name = "zero"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["CMakeLists.txt", "unit", "Inputs"]
config.test_source_root = os.path.join(config.zero_source_root, "test")
config.test_exec_root = os.path.join(config.zero_build_root, "test")

llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", os.path.join(config.zero_build_root, "bin"), append_path=True)
for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    config.environment.pop(variable, None)
if os.path.isdir(os.path.join(config.zero_build_root, "python", "safetensors")):
    config.available_features.add("safetensors")
if shutil.which("ptxas", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin"):
    config.available_features.add("ptxas")
config.substitutions.append(("%models", os.path.join(config.zero_source_root, "examples", "models")))
config.substitutions.append(("%source", config.zero_source_root))
config.substitutions.append(("%build", config.zero_build_root))
config.substitutions.append(("%python", "/usr/bin/python3"))
