module {
  zero.parameter @"wte" : tensor<256x384xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"wpe" : tensor<256x384xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h0.ln1.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h0.ln1.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h0.attn.qkv.weight" : tensor<384x1152xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h0.attn.qkv.bias" : tensor<1152xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h0.attn.proj.weight" : tensor<384x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h0.attn.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h0.ln2.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h0.ln2.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h0.mlp.fc.weight" : tensor<384x1536xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h0.mlp.fc.bias" : tensor<1536xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h0.mlp.proj.weight" : tensor<1536x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h0.mlp.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h1.ln1.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h1.ln1.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h1.attn.qkv.weight" : tensor<384x1152xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h1.attn.qkv.bias" : tensor<1152xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h1.attn.proj.weight" : tensor<384x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h1.attn.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h1.ln2.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h1.ln2.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h1.mlp.fc.weight" : tensor<384x1536xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h1.mlp.fc.bias" : tensor<1536xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h1.mlp.proj.weight" : tensor<1536x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h1.mlp.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h2.ln1.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h2.ln1.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h2.attn.qkv.weight" : tensor<384x1152xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h2.attn.qkv.bias" : tensor<1152xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h2.attn.proj.weight" : tensor<384x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h2.attn.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h2.ln2.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h2.ln2.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h2.mlp.fc.weight" : tensor<384x1536xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h2.mlp.fc.bias" : tensor<1536xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h2.mlp.proj.weight" : tensor<1536x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h2.mlp.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h3.ln1.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h3.ln1.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h3.attn.qkv.weight" : tensor<384x1152xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h3.attn.qkv.bias" : tensor<1152xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h3.attn.proj.weight" : tensor<384x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h3.attn.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h3.ln2.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h3.ln2.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h3.mlp.fc.weight" : tensor<384x1536xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h3.mlp.fc.bias" : tensor<1536xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h3.mlp.proj.weight" : tensor<1536x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h3.mlp.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h4.ln1.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h4.ln1.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h4.attn.qkv.weight" : tensor<384x1152xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h4.attn.qkv.bias" : tensor<1152xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h4.attn.proj.weight" : tensor<384x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h4.attn.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h4.ln2.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h4.ln2.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h4.mlp.fc.weight" : tensor<384x1536xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h4.mlp.fc.bias" : tensor<1536xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h4.mlp.proj.weight" : tensor<1536x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h4.mlp.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h5.ln1.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h5.ln1.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h5.attn.qkv.weight" : tensor<384x1152xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h5.attn.qkv.bias" : tensor<1152xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h5.attn.proj.weight" : tensor<384x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h5.attn.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h5.ln2.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"h5.ln2.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h5.mlp.fc.weight" : tensor<384x1536xf32> {init = #zero.normal<0.0, 0.02>}
  zero.parameter @"h5.mlp.fc.bias" : tensor<1536xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"h5.mlp.proj.weight" : tensor<1536x384xf32> {init = #zero.normal<0.0, 0.005773502691896258>}
  zero.parameter @"h5.mlp.proj.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.parameter @"ln_f.weight" : tensor<384xf32> {init = #zero.ones, weight_decay = 0.0}
  zero.parameter @"ln_f.bias" : tensor<384xf32> {init = #zero.zeros, weight_decay = 0.0}
  zero.alias @"head" = @"wte"
  zero.step @train(%tokens: tensor<4x256xi32> {zero.input = "tokens"},
                   %next_tokens: tensor<4x256xi32> {zero.input = "next_tokens"})
      optimizer #zero.adamw<beta1 = 0.9, beta2 = 0.95, epsilon = 1.0e-8, weight_decay = 0.1>
      attributes {samples = 4 : i64} {
    %0 = zero.read @"wte" : tensor<256x384xf32>
    %1 = nn.embedding %0, %tokens : (tensor<256x384xf32>, tensor<4x256xi32>) -> tensor<4x256x384xf32>
    %2 = zero.read @"wpe" : tensor<256x384xf32>
    %3 = tensor.empty() : tensor<4x256x384xf32>
    %4 = linalg.broadcast ins(%2 : tensor<256x384xf32>) outs(%3 : tensor<4x256x384xf32>) dimensions = [0]
    %5 = arith.addf %1, %4 : tensor<4x256x384xf32>
    %6 = tensor.collapse_shape %5 [[0, 1], [2]] : tensor<4x256x384xf32> into tensor<1024x384xf32>
    %7 = zero.block_boundary %6 : tensor<1024x384xf32>
    %8 = zero.read @"h0.ln1.weight" : tensor<384xf32>
    %9 = zero.read @"h0.ln1.bias" : tensor<384xf32>
    %10:3 = nn.layer_norm %7, %8, %9 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %11 = zero.read @"h0.attn.qkv.weight" : tensor<384x1152xf32>
    %12 = arith.constant 0.0 : f32
    %13 = tensor.empty() : tensor<1024x1152xf32>
    %14 = linalg.fill ins(%12 : f32) outs(%13 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %15 = linalg.matmul ins(%10#0, %11 : tensor<1024x384xf32>, tensor<384x1152xf32>) outs(%14 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %16 = zero.read @"h0.attn.qkv.bias" : tensor<1152xf32>
    %17 = tensor.empty() : tensor<1024x1152xf32>
    %18 = linalg.broadcast ins(%16 : tensor<1152xf32>) outs(%17 : tensor<1024x1152xf32>) dimensions = [0]
    %19 = arith.addf %15, %18 : tensor<1024x1152xf32>
    %20 = tensor.extract_slice %19[0, 0] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %21 = tensor.expand_shape %20 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %22 = tensor.extract_slice %19[0, 384] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %23 = tensor.expand_shape %22 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %24 = tensor.extract_slice %19[0, 768] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %25 = tensor.expand_shape %24 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %26:2 = nn.attention %21, %23, %25 {causal, scale = 0.125 : f64} : (tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>) -> (tensor<4x256x6x64xf32>, tensor<4x6x256xf32>)
    %27 = tensor.collapse_shape %26#0 [[0, 1], [2, 3]] : tensor<4x256x6x64xf32> into tensor<1024x384xf32>
    %28 = zero.read @"h0.attn.proj.weight" : tensor<384x384xf32>
    %29 = tensor.empty() : tensor<1024x384xf32>
    %30 = linalg.fill ins(%12 : f32) outs(%29 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %31 = linalg.matmul ins(%27, %28 : tensor<1024x384xf32>, tensor<384x384xf32>) outs(%30 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %32 = zero.read @"h0.attn.proj.bias" : tensor<384xf32>
    %33 = tensor.empty() : tensor<1024x384xf32>
    %34 = linalg.broadcast ins(%32 : tensor<384xf32>) outs(%33 : tensor<1024x384xf32>) dimensions = [0]
    %35 = arith.addf %31, %34 : tensor<1024x384xf32>
    %36 = arith.addf %7, %35 : tensor<1024x384xf32>
    %37 = zero.read @"h0.ln2.weight" : tensor<384xf32>
    %38 = zero.read @"h0.ln2.bias" : tensor<384xf32>
    %39:3 = nn.layer_norm %36, %37, %38 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %40 = zero.read @"h0.mlp.fc.weight" : tensor<384x1536xf32>
    %41 = tensor.empty() : tensor<1024x1536xf32>
    %42 = linalg.fill ins(%12 : f32) outs(%41 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %43 = linalg.matmul ins(%39#0, %40 : tensor<1024x384xf32>, tensor<384x1536xf32>) outs(%42 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %44 = zero.read @"h0.mlp.fc.bias" : tensor<1536xf32>
    %45 = tensor.empty() : tensor<1024x1536xf32>
    %46 = linalg.broadcast ins(%44 : tensor<1536xf32>) outs(%45 : tensor<1024x1536xf32>) dimensions = [0]
    %47 = arith.addf %43, %46 : tensor<1024x1536xf32>
    %48 = arith.mulf %47, %47 : tensor<1024x1536xf32>
    %49 = arith.mulf %48, %47 : tensor<1024x1536xf32>
    %50 = arith.constant dense<0.044715> : tensor<1024x1536xf32>
    %51 = arith.mulf %49, %50 : tensor<1024x1536xf32>
    %52 = arith.addf %47, %51 : tensor<1024x1536xf32>
    %53 = arith.constant dense<0.7978845608028654> : tensor<1024x1536xf32>
    %54 = arith.mulf %52, %53 : tensor<1024x1536xf32>
    %55 = math.tanh %54 : tensor<1024x1536xf32>
    %56 = arith.constant dense<1.0> : tensor<1024x1536xf32>
    %57 = arith.addf %55, %56 : tensor<1024x1536xf32>
    %58 = arith.constant dense<0.5> : tensor<1024x1536xf32>
    %59 = arith.mulf %47, %58 : tensor<1024x1536xf32>
    %60 = arith.mulf %59, %57 : tensor<1024x1536xf32>
    %61 = zero.read @"h0.mlp.proj.weight" : tensor<1536x384xf32>
    %62 = tensor.empty() : tensor<1024x384xf32>
    %63 = linalg.fill ins(%12 : f32) outs(%62 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %64 = linalg.matmul ins(%60, %61 : tensor<1024x1536xf32>, tensor<1536x384xf32>) outs(%63 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %65 = zero.read @"h0.mlp.proj.bias" : tensor<384xf32>
    %66 = tensor.empty() : tensor<1024x384xf32>
    %67 = linalg.broadcast ins(%65 : tensor<384xf32>) outs(%66 : tensor<1024x384xf32>) dimensions = [0]
    %68 = arith.addf %64, %67 : tensor<1024x384xf32>
    %69 = arith.addf %36, %68 : tensor<1024x384xf32>
    %70 = zero.block_boundary %69 : tensor<1024x384xf32>
    %71 = zero.read @"h1.ln1.weight" : tensor<384xf32>
    %72 = zero.read @"h1.ln1.bias" : tensor<384xf32>
    %73:3 = nn.layer_norm %70, %71, %72 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %74 = zero.read @"h1.attn.qkv.weight" : tensor<384x1152xf32>
    %75 = tensor.empty() : tensor<1024x1152xf32>
    %76 = linalg.fill ins(%12 : f32) outs(%75 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %77 = linalg.matmul ins(%73#0, %74 : tensor<1024x384xf32>, tensor<384x1152xf32>) outs(%76 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %78 = zero.read @"h1.attn.qkv.bias" : tensor<1152xf32>
    %79 = tensor.empty() : tensor<1024x1152xf32>
    %80 = linalg.broadcast ins(%78 : tensor<1152xf32>) outs(%79 : tensor<1024x1152xf32>) dimensions = [0]
    %81 = arith.addf %77, %80 : tensor<1024x1152xf32>
    %82 = tensor.extract_slice %81[0, 0] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %83 = tensor.expand_shape %82 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %84 = tensor.extract_slice %81[0, 384] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %85 = tensor.expand_shape %84 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %86 = tensor.extract_slice %81[0, 768] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %87 = tensor.expand_shape %86 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %88:2 = nn.attention %83, %85, %87 {causal, scale = 0.125 : f64} : (tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>) -> (tensor<4x256x6x64xf32>, tensor<4x6x256xf32>)
    %89 = tensor.collapse_shape %88#0 [[0, 1], [2, 3]] : tensor<4x256x6x64xf32> into tensor<1024x384xf32>
    %90 = zero.read @"h1.attn.proj.weight" : tensor<384x384xf32>
    %91 = tensor.empty() : tensor<1024x384xf32>
    %92 = linalg.fill ins(%12 : f32) outs(%91 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %93 = linalg.matmul ins(%89, %90 : tensor<1024x384xf32>, tensor<384x384xf32>) outs(%92 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %94 = zero.read @"h1.attn.proj.bias" : tensor<384xf32>
    %95 = tensor.empty() : tensor<1024x384xf32>
    %96 = linalg.broadcast ins(%94 : tensor<384xf32>) outs(%95 : tensor<1024x384xf32>) dimensions = [0]
    %97 = arith.addf %93, %96 : tensor<1024x384xf32>
    %98 = arith.addf %70, %97 : tensor<1024x384xf32>
    %99 = zero.read @"h1.ln2.weight" : tensor<384xf32>
    %100 = zero.read @"h1.ln2.bias" : tensor<384xf32>
    %101:3 = nn.layer_norm %98, %99, %100 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %102 = zero.read @"h1.mlp.fc.weight" : tensor<384x1536xf32>
    %103 = tensor.empty() : tensor<1024x1536xf32>
    %104 = linalg.fill ins(%12 : f32) outs(%103 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %105 = linalg.matmul ins(%101#0, %102 : tensor<1024x384xf32>, tensor<384x1536xf32>) outs(%104 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %106 = zero.read @"h1.mlp.fc.bias" : tensor<1536xf32>
    %107 = tensor.empty() : tensor<1024x1536xf32>
    %108 = linalg.broadcast ins(%106 : tensor<1536xf32>) outs(%107 : tensor<1024x1536xf32>) dimensions = [0]
    %109 = arith.addf %105, %108 : tensor<1024x1536xf32>
    %110 = arith.mulf %109, %109 : tensor<1024x1536xf32>
    %111 = arith.mulf %110, %109 : tensor<1024x1536xf32>
    %112 = arith.constant dense<0.044715> : tensor<1024x1536xf32>
    %113 = arith.mulf %111, %112 : tensor<1024x1536xf32>
    %114 = arith.addf %109, %113 : tensor<1024x1536xf32>
    %115 = arith.constant dense<0.7978845608028654> : tensor<1024x1536xf32>
    %116 = arith.mulf %114, %115 : tensor<1024x1536xf32>
    %117 = math.tanh %116 : tensor<1024x1536xf32>
    %118 = arith.constant dense<1.0> : tensor<1024x1536xf32>
    %119 = arith.addf %117, %118 : tensor<1024x1536xf32>
    %120 = arith.constant dense<0.5> : tensor<1024x1536xf32>
    %121 = arith.mulf %109, %120 : tensor<1024x1536xf32>
    %122 = arith.mulf %121, %119 : tensor<1024x1536xf32>
    %123 = zero.read @"h1.mlp.proj.weight" : tensor<1536x384xf32>
    %124 = tensor.empty() : tensor<1024x384xf32>
    %125 = linalg.fill ins(%12 : f32) outs(%124 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %126 = linalg.matmul ins(%122, %123 : tensor<1024x1536xf32>, tensor<1536x384xf32>) outs(%125 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %127 = zero.read @"h1.mlp.proj.bias" : tensor<384xf32>
    %128 = tensor.empty() : tensor<1024x384xf32>
    %129 = linalg.broadcast ins(%127 : tensor<384xf32>) outs(%128 : tensor<1024x384xf32>) dimensions = [0]
    %130 = arith.addf %126, %129 : tensor<1024x384xf32>
    %131 = arith.addf %98, %130 : tensor<1024x384xf32>
    %132 = zero.block_boundary %131 : tensor<1024x384xf32>
    %133 = zero.read @"h2.ln1.weight" : tensor<384xf32>
    %134 = zero.read @"h2.ln1.bias" : tensor<384xf32>
    %135:3 = nn.layer_norm %132, %133, %134 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %136 = zero.read @"h2.attn.qkv.weight" : tensor<384x1152xf32>
    %137 = tensor.empty() : tensor<1024x1152xf32>
    %138 = linalg.fill ins(%12 : f32) outs(%137 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %139 = linalg.matmul ins(%135#0, %136 : tensor<1024x384xf32>, tensor<384x1152xf32>) outs(%138 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %140 = zero.read @"h2.attn.qkv.bias" : tensor<1152xf32>
    %141 = tensor.empty() : tensor<1024x1152xf32>
    %142 = linalg.broadcast ins(%140 : tensor<1152xf32>) outs(%141 : tensor<1024x1152xf32>) dimensions = [0]
    %143 = arith.addf %139, %142 : tensor<1024x1152xf32>
    %144 = tensor.extract_slice %143[0, 0] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %145 = tensor.expand_shape %144 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %146 = tensor.extract_slice %143[0, 384] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %147 = tensor.expand_shape %146 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %148 = tensor.extract_slice %143[0, 768] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %149 = tensor.expand_shape %148 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %150:2 = nn.attention %145, %147, %149 {causal, scale = 0.125 : f64} : (tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>) -> (tensor<4x256x6x64xf32>, tensor<4x6x256xf32>)
    %151 = tensor.collapse_shape %150#0 [[0, 1], [2, 3]] : tensor<4x256x6x64xf32> into tensor<1024x384xf32>
    %152 = zero.read @"h2.attn.proj.weight" : tensor<384x384xf32>
    %153 = tensor.empty() : tensor<1024x384xf32>
    %154 = linalg.fill ins(%12 : f32) outs(%153 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %155 = linalg.matmul ins(%151, %152 : tensor<1024x384xf32>, tensor<384x384xf32>) outs(%154 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %156 = zero.read @"h2.attn.proj.bias" : tensor<384xf32>
    %157 = tensor.empty() : tensor<1024x384xf32>
    %158 = linalg.broadcast ins(%156 : tensor<384xf32>) outs(%157 : tensor<1024x384xf32>) dimensions = [0]
    %159 = arith.addf %155, %158 : tensor<1024x384xf32>
    %160 = arith.addf %132, %159 : tensor<1024x384xf32>
    %161 = zero.read @"h2.ln2.weight" : tensor<384xf32>
    %162 = zero.read @"h2.ln2.bias" : tensor<384xf32>
    %163:3 = nn.layer_norm %160, %161, %162 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %164 = zero.read @"h2.mlp.fc.weight" : tensor<384x1536xf32>
    %165 = tensor.empty() : tensor<1024x1536xf32>
    %166 = linalg.fill ins(%12 : f32) outs(%165 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %167 = linalg.matmul ins(%163#0, %164 : tensor<1024x384xf32>, tensor<384x1536xf32>) outs(%166 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %168 = zero.read @"h2.mlp.fc.bias" : tensor<1536xf32>
    %169 = tensor.empty() : tensor<1024x1536xf32>
    %170 = linalg.broadcast ins(%168 : tensor<1536xf32>) outs(%169 : tensor<1024x1536xf32>) dimensions = [0]
    %171 = arith.addf %167, %170 : tensor<1024x1536xf32>
    %172 = arith.mulf %171, %171 : tensor<1024x1536xf32>
    %173 = arith.mulf %172, %171 : tensor<1024x1536xf32>
    %174 = arith.constant dense<0.044715> : tensor<1024x1536xf32>
    %175 = arith.mulf %173, %174 : tensor<1024x1536xf32>
    %176 = arith.addf %171, %175 : tensor<1024x1536xf32>
    %177 = arith.constant dense<0.7978845608028654> : tensor<1024x1536xf32>
    %178 = arith.mulf %176, %177 : tensor<1024x1536xf32>
    %179 = math.tanh %178 : tensor<1024x1536xf32>
    %180 = arith.constant dense<1.0> : tensor<1024x1536xf32>
    %181 = arith.addf %179, %180 : tensor<1024x1536xf32>
    %182 = arith.constant dense<0.5> : tensor<1024x1536xf32>
    %183 = arith.mulf %171, %182 : tensor<1024x1536xf32>
    %184 = arith.mulf %183, %181 : tensor<1024x1536xf32>
    %185 = zero.read @"h2.mlp.proj.weight" : tensor<1536x384xf32>
    %186 = tensor.empty() : tensor<1024x384xf32>
    %187 = linalg.fill ins(%12 : f32) outs(%186 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %188 = linalg.matmul ins(%184, %185 : tensor<1024x1536xf32>, tensor<1536x384xf32>) outs(%187 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %189 = zero.read @"h2.mlp.proj.bias" : tensor<384xf32>
    %190 = tensor.empty() : tensor<1024x384xf32>
    %191 = linalg.broadcast ins(%189 : tensor<384xf32>) outs(%190 : tensor<1024x384xf32>) dimensions = [0]
    %192 = arith.addf %188, %191 : tensor<1024x384xf32>
    %193 = arith.addf %160, %192 : tensor<1024x384xf32>
    %194 = zero.block_boundary %193 : tensor<1024x384xf32>
    %195 = zero.read @"h3.ln1.weight" : tensor<384xf32>
    %196 = zero.read @"h3.ln1.bias" : tensor<384xf32>
    %197:3 = nn.layer_norm %194, %195, %196 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %198 = zero.read @"h3.attn.qkv.weight" : tensor<384x1152xf32>
    %199 = tensor.empty() : tensor<1024x1152xf32>
    %200 = linalg.fill ins(%12 : f32) outs(%199 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %201 = linalg.matmul ins(%197#0, %198 : tensor<1024x384xf32>, tensor<384x1152xf32>) outs(%200 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %202 = zero.read @"h3.attn.qkv.bias" : tensor<1152xf32>
    %203 = tensor.empty() : tensor<1024x1152xf32>
    %204 = linalg.broadcast ins(%202 : tensor<1152xf32>) outs(%203 : tensor<1024x1152xf32>) dimensions = [0]
    %205 = arith.addf %201, %204 : tensor<1024x1152xf32>
    %206 = tensor.extract_slice %205[0, 0] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %207 = tensor.expand_shape %206 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %208 = tensor.extract_slice %205[0, 384] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %209 = tensor.expand_shape %208 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %210 = tensor.extract_slice %205[0, 768] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %211 = tensor.expand_shape %210 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %212:2 = nn.attention %207, %209, %211 {causal, scale = 0.125 : f64} : (tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>) -> (tensor<4x256x6x64xf32>, tensor<4x6x256xf32>)
    %213 = tensor.collapse_shape %212#0 [[0, 1], [2, 3]] : tensor<4x256x6x64xf32> into tensor<1024x384xf32>
    %214 = zero.read @"h3.attn.proj.weight" : tensor<384x384xf32>
    %215 = tensor.empty() : tensor<1024x384xf32>
    %216 = linalg.fill ins(%12 : f32) outs(%215 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %217 = linalg.matmul ins(%213, %214 : tensor<1024x384xf32>, tensor<384x384xf32>) outs(%216 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %218 = zero.read @"h3.attn.proj.bias" : tensor<384xf32>
    %219 = tensor.empty() : tensor<1024x384xf32>
    %220 = linalg.broadcast ins(%218 : tensor<384xf32>) outs(%219 : tensor<1024x384xf32>) dimensions = [0]
    %221 = arith.addf %217, %220 : tensor<1024x384xf32>
    %222 = arith.addf %194, %221 : tensor<1024x384xf32>
    %223 = zero.read @"h3.ln2.weight" : tensor<384xf32>
    %224 = zero.read @"h3.ln2.bias" : tensor<384xf32>
    %225:3 = nn.layer_norm %222, %223, %224 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %226 = zero.read @"h3.mlp.fc.weight" : tensor<384x1536xf32>
    %227 = tensor.empty() : tensor<1024x1536xf32>
    %228 = linalg.fill ins(%12 : f32) outs(%227 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %229 = linalg.matmul ins(%225#0, %226 : tensor<1024x384xf32>, tensor<384x1536xf32>) outs(%228 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %230 = zero.read @"h3.mlp.fc.bias" : tensor<1536xf32>
    %231 = tensor.empty() : tensor<1024x1536xf32>
    %232 = linalg.broadcast ins(%230 : tensor<1536xf32>) outs(%231 : tensor<1024x1536xf32>) dimensions = [0]
    %233 = arith.addf %229, %232 : tensor<1024x1536xf32>
    %234 = arith.mulf %233, %233 : tensor<1024x1536xf32>
    %235 = arith.mulf %234, %233 : tensor<1024x1536xf32>
    %236 = arith.constant dense<0.044715> : tensor<1024x1536xf32>
    %237 = arith.mulf %235, %236 : tensor<1024x1536xf32>
    %238 = arith.addf %233, %237 : tensor<1024x1536xf32>
    %239 = arith.constant dense<0.7978845608028654> : tensor<1024x1536xf32>
    %240 = arith.mulf %238, %239 : tensor<1024x1536xf32>
    %241 = math.tanh %240 : tensor<1024x1536xf32>
    %242 = arith.constant dense<1.0> : tensor<1024x1536xf32>
    %243 = arith.addf %241, %242 : tensor<1024x1536xf32>
    %244 = arith.constant dense<0.5> : tensor<1024x1536xf32>
    %245 = arith.mulf %233, %244 : tensor<1024x1536xf32>
    %246 = arith.mulf %245, %243 : tensor<1024x1536xf32>
    %247 = zero.read @"h3.mlp.proj.weight" : tensor<1536x384xf32>
    %248 = tensor.empty() : tensor<1024x384xf32>
    %249 = linalg.fill ins(%12 : f32) outs(%248 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %250 = linalg.matmul ins(%246, %247 : tensor<1024x1536xf32>, tensor<1536x384xf32>) outs(%249 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %251 = zero.read @"h3.mlp.proj.bias" : tensor<384xf32>
    %252 = tensor.empty() : tensor<1024x384xf32>
    %253 = linalg.broadcast ins(%251 : tensor<384xf32>) outs(%252 : tensor<1024x384xf32>) dimensions = [0]
    %254 = arith.addf %250, %253 : tensor<1024x384xf32>
    %255 = arith.addf %222, %254 : tensor<1024x384xf32>
    %256 = zero.block_boundary %255 : tensor<1024x384xf32>
    %257 = zero.read @"h4.ln1.weight" : tensor<384xf32>
    %258 = zero.read @"h4.ln1.bias" : tensor<384xf32>
    %259:3 = nn.layer_norm %256, %257, %258 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %260 = zero.read @"h4.attn.qkv.weight" : tensor<384x1152xf32>
    %261 = tensor.empty() : tensor<1024x1152xf32>
    %262 = linalg.fill ins(%12 : f32) outs(%261 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %263 = linalg.matmul ins(%259#0, %260 : tensor<1024x384xf32>, tensor<384x1152xf32>) outs(%262 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %264 = zero.read @"h4.attn.qkv.bias" : tensor<1152xf32>
    %265 = tensor.empty() : tensor<1024x1152xf32>
    %266 = linalg.broadcast ins(%264 : tensor<1152xf32>) outs(%265 : tensor<1024x1152xf32>) dimensions = [0]
    %267 = arith.addf %263, %266 : tensor<1024x1152xf32>
    %268 = tensor.extract_slice %267[0, 0] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %269 = tensor.expand_shape %268 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %270 = tensor.extract_slice %267[0, 384] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %271 = tensor.expand_shape %270 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %272 = tensor.extract_slice %267[0, 768] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %273 = tensor.expand_shape %272 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %274:2 = nn.attention %269, %271, %273 {causal, scale = 0.125 : f64} : (tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>) -> (tensor<4x256x6x64xf32>, tensor<4x6x256xf32>)
    %275 = tensor.collapse_shape %274#0 [[0, 1], [2, 3]] : tensor<4x256x6x64xf32> into tensor<1024x384xf32>
    %276 = zero.read @"h4.attn.proj.weight" : tensor<384x384xf32>
    %277 = tensor.empty() : tensor<1024x384xf32>
    %278 = linalg.fill ins(%12 : f32) outs(%277 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %279 = linalg.matmul ins(%275, %276 : tensor<1024x384xf32>, tensor<384x384xf32>) outs(%278 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %280 = zero.read @"h4.attn.proj.bias" : tensor<384xf32>
    %281 = tensor.empty() : tensor<1024x384xf32>
    %282 = linalg.broadcast ins(%280 : tensor<384xf32>) outs(%281 : tensor<1024x384xf32>) dimensions = [0]
    %283 = arith.addf %279, %282 : tensor<1024x384xf32>
    %284 = arith.addf %256, %283 : tensor<1024x384xf32>
    %285 = zero.read @"h4.ln2.weight" : tensor<384xf32>
    %286 = zero.read @"h4.ln2.bias" : tensor<384xf32>
    %287:3 = nn.layer_norm %284, %285, %286 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %288 = zero.read @"h4.mlp.fc.weight" : tensor<384x1536xf32>
    %289 = tensor.empty() : tensor<1024x1536xf32>
    %290 = linalg.fill ins(%12 : f32) outs(%289 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %291 = linalg.matmul ins(%287#0, %288 : tensor<1024x384xf32>, tensor<384x1536xf32>) outs(%290 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %292 = zero.read @"h4.mlp.fc.bias" : tensor<1536xf32>
    %293 = tensor.empty() : tensor<1024x1536xf32>
    %294 = linalg.broadcast ins(%292 : tensor<1536xf32>) outs(%293 : tensor<1024x1536xf32>) dimensions = [0]
    %295 = arith.addf %291, %294 : tensor<1024x1536xf32>
    %296 = arith.mulf %295, %295 : tensor<1024x1536xf32>
    %297 = arith.mulf %296, %295 : tensor<1024x1536xf32>
    %298 = arith.constant dense<0.044715> : tensor<1024x1536xf32>
    %299 = arith.mulf %297, %298 : tensor<1024x1536xf32>
    %300 = arith.addf %295, %299 : tensor<1024x1536xf32>
    %301 = arith.constant dense<0.7978845608028654> : tensor<1024x1536xf32>
    %302 = arith.mulf %300, %301 : tensor<1024x1536xf32>
    %303 = math.tanh %302 : tensor<1024x1536xf32>
    %304 = arith.constant dense<1.0> : tensor<1024x1536xf32>
    %305 = arith.addf %303, %304 : tensor<1024x1536xf32>
    %306 = arith.constant dense<0.5> : tensor<1024x1536xf32>
    %307 = arith.mulf %295, %306 : tensor<1024x1536xf32>
    %308 = arith.mulf %307, %305 : tensor<1024x1536xf32>
    %309 = zero.read @"h4.mlp.proj.weight" : tensor<1536x384xf32>
    %310 = tensor.empty() : tensor<1024x384xf32>
    %311 = linalg.fill ins(%12 : f32) outs(%310 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %312 = linalg.matmul ins(%308, %309 : tensor<1024x1536xf32>, tensor<1536x384xf32>) outs(%311 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %313 = zero.read @"h4.mlp.proj.bias" : tensor<384xf32>
    %314 = tensor.empty() : tensor<1024x384xf32>
    %315 = linalg.broadcast ins(%313 : tensor<384xf32>) outs(%314 : tensor<1024x384xf32>) dimensions = [0]
    %316 = arith.addf %312, %315 : tensor<1024x384xf32>
    %317 = arith.addf %284, %316 : tensor<1024x384xf32>
    %318 = zero.block_boundary %317 : tensor<1024x384xf32>
    %319 = zero.read @"h5.ln1.weight" : tensor<384xf32>
    %320 = zero.read @"h5.ln1.bias" : tensor<384xf32>
    %321:3 = nn.layer_norm %318, %319, %320 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %322 = zero.read @"h5.attn.qkv.weight" : tensor<384x1152xf32>
    %323 = tensor.empty() : tensor<1024x1152xf32>
    %324 = linalg.fill ins(%12 : f32) outs(%323 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %325 = linalg.matmul ins(%321#0, %322 : tensor<1024x384xf32>, tensor<384x1152xf32>) outs(%324 : tensor<1024x1152xf32>) -> tensor<1024x1152xf32>
    %326 = zero.read @"h5.attn.qkv.bias" : tensor<1152xf32>
    %327 = tensor.empty() : tensor<1024x1152xf32>
    %328 = linalg.broadcast ins(%326 : tensor<1152xf32>) outs(%327 : tensor<1024x1152xf32>) dimensions = [0]
    %329 = arith.addf %325, %328 : tensor<1024x1152xf32>
    %330 = tensor.extract_slice %329[0, 0] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %331 = tensor.expand_shape %330 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %332 = tensor.extract_slice %329[0, 384] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %333 = tensor.expand_shape %332 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %334 = tensor.extract_slice %329[0, 768] [1024, 384] [1, 1] : tensor<1024x1152xf32> to tensor<1024x384xf32>
    %335 = tensor.expand_shape %334 [[0, 1], [2, 3]] output_shape [4, 256, 6, 64] : tensor<1024x384xf32> into tensor<4x256x6x64xf32>
    %336:2 = nn.attention %331, %333, %335 {causal, scale = 0.125 : f64} : (tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>, tensor<4x256x6x64xf32>) -> (tensor<4x256x6x64xf32>, tensor<4x6x256xf32>)
    %337 = tensor.collapse_shape %336#0 [[0, 1], [2, 3]] : tensor<4x256x6x64xf32> into tensor<1024x384xf32>
    %338 = zero.read @"h5.attn.proj.weight" : tensor<384x384xf32>
    %339 = tensor.empty() : tensor<1024x384xf32>
    %340 = linalg.fill ins(%12 : f32) outs(%339 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %341 = linalg.matmul ins(%337, %338 : tensor<1024x384xf32>, tensor<384x384xf32>) outs(%340 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %342 = zero.read @"h5.attn.proj.bias" : tensor<384xf32>
    %343 = tensor.empty() : tensor<1024x384xf32>
    %344 = linalg.broadcast ins(%342 : tensor<384xf32>) outs(%343 : tensor<1024x384xf32>) dimensions = [0]
    %345 = arith.addf %341, %344 : tensor<1024x384xf32>
    %346 = arith.addf %318, %345 : tensor<1024x384xf32>
    %347 = zero.read @"h5.ln2.weight" : tensor<384xf32>
    %348 = zero.read @"h5.ln2.bias" : tensor<384xf32>
    %349:3 = nn.layer_norm %346, %347, %348 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %350 = zero.read @"h5.mlp.fc.weight" : tensor<384x1536xf32>
    %351 = tensor.empty() : tensor<1024x1536xf32>
    %352 = linalg.fill ins(%12 : f32) outs(%351 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %353 = linalg.matmul ins(%349#0, %350 : tensor<1024x384xf32>, tensor<384x1536xf32>) outs(%352 : tensor<1024x1536xf32>) -> tensor<1024x1536xf32>
    %354 = zero.read @"h5.mlp.fc.bias" : tensor<1536xf32>
    %355 = tensor.empty() : tensor<1024x1536xf32>
    %356 = linalg.broadcast ins(%354 : tensor<1536xf32>) outs(%355 : tensor<1024x1536xf32>) dimensions = [0]
    %357 = arith.addf %353, %356 : tensor<1024x1536xf32>
    %358 = arith.mulf %357, %357 : tensor<1024x1536xf32>
    %359 = arith.mulf %358, %357 : tensor<1024x1536xf32>
    %360 = arith.constant dense<0.044715> : tensor<1024x1536xf32>
    %361 = arith.mulf %359, %360 : tensor<1024x1536xf32>
    %362 = arith.addf %357, %361 : tensor<1024x1536xf32>
    %363 = arith.constant dense<0.7978845608028654> : tensor<1024x1536xf32>
    %364 = arith.mulf %362, %363 : tensor<1024x1536xf32>
    %365 = math.tanh %364 : tensor<1024x1536xf32>
    %366 = arith.constant dense<1.0> : tensor<1024x1536xf32>
    %367 = arith.addf %365, %366 : tensor<1024x1536xf32>
    %368 = arith.constant dense<0.5> : tensor<1024x1536xf32>
    %369 = arith.mulf %357, %368 : tensor<1024x1536xf32>
    %370 = arith.mulf %369, %367 : tensor<1024x1536xf32>
    %371 = zero.read @"h5.mlp.proj.weight" : tensor<1536x384xf32>
    %372 = tensor.empty() : tensor<1024x384xf32>
    %373 = linalg.fill ins(%12 : f32) outs(%372 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %374 = linalg.matmul ins(%370, %371 : tensor<1024x1536xf32>, tensor<1536x384xf32>) outs(%373 : tensor<1024x384xf32>) -> tensor<1024x384xf32>
    %375 = zero.read @"h5.mlp.proj.bias" : tensor<384xf32>
    %376 = tensor.empty() : tensor<1024x384xf32>
    %377 = linalg.broadcast ins(%375 : tensor<384xf32>) outs(%376 : tensor<1024x384xf32>) dimensions = [0]
    %378 = arith.addf %374, %377 : tensor<1024x384xf32>
    %379 = arith.addf %346, %378 : tensor<1024x384xf32>
    %380 = zero.block_boundary %379 : tensor<1024x384xf32>
    %381 = zero.read @"ln_f.weight" : tensor<384xf32>
    %382 = zero.read @"ln_f.bias" : tensor<384xf32>
    %383:3 = nn.layer_norm %380, %381, %382 {epsilon = 1.0e-05 : f64} : (tensor<1024x384xf32>, tensor<384xf32>, tensor<384xf32>) -> (tensor<1024x384xf32>, tensor<1024xf32>, tensor<1024xf32>)
    %384 = zero.read @"head" : tensor<256x384xf32>
    %385 = tensor.collapse_shape %next_tokens [[0, 1]] : tensor<4x256xi32> into tensor<1024xi32>
    %386:2 = nn.linear_cross_entropy %383#0, %384, %385 : (tensor<1024x384xf32>, tensor<256x384xf32>, tensor<1024xi32>) -> (tensor<f32>, tensor<f32>)
    zero.yield %386#0, %386#1 : tensor<f32>, tensor<f32>
  }
}
