//===- zero-opt.cpp - The MLIR driver with our passes ---------------------===//

#include "zero/Pipelines/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  zero::registerAllDialects(registry);
  zero::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "ZeRO compiler driver\n", registry));
}
