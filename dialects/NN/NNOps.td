#ifndef ZERO_DIALECTS_NN_NNOPS_TD
#define ZERO_DIALECTS_NN_NNOPS_TD

include "dialects/NN/NNDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def NN_Float : StaticShapeTensorOf<[F32, F64, F16, BF16]>;
def NN_Int : StaticShapeTensorOf<[I32]>;
def NN_Random : StaticShapeTensorOf<[I64]>;

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

def NN_EmbeddingOp : NN_Op<"embedding"> {
  let summary = "rows of a table, chosen by token";
  let description = [{
    `result[i..., c] = table[ids[i...], c]`.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `table` is V x C.
    - (C2) `result` has the shape of `ids` followed by C.

    Example:
    ```mlir
    %x = nn.embedding %table, %ids : (tensor<256x384xf32>, tensor<64xi32>) -> tensor<64x384xf32>
    ```
  }];
  let arguments = (ins NN_Float:$table, NN_Int:$ids);
  let results = (outs NN_Float:$result);
  let assemblyFormat = "$table `,` $ids attr-dict `:` functional-type(operands, results)";
}

def NN_EmbeddingGradOp : NN_Op<"embedding_grad"> {
  let summary = "adds the gradient of an embedding to a table, in token order";
  let description = [{
    `result = init`; then for i in order `result[ids[i], :] += dy[i, :]`.

    Lifespan: made by `zero-differentiate`; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `init` and `result` are V x C, of one type.
    - (C2) `dy` has the shape of `ids` followed by C.
  }];
  let arguments = (ins NN_Int:$ids, NN_Float:$dy, NN_Float:$init);
  let results = (outs NN_Float:$result);
  let assemblyFormat = "$ids `,` $dy `into` $init attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Normalisation over the last dimension
//===----------------------------------------------------------------------===//

def NN_LayerNormOp : NN_Op<"layer_norm"> {
  let summary = "layer normalisation over the last dimension";
  let description = [{
    `result = (x - mean) * rstd * gamma + beta` with
    `rstd = 1 / sqrt(mean((x - mean)^2) + epsilon)` (Ba et al. 2016, eq. 3 and 4). The
    result `mean` is that of the row less its first element, so that it keeps the digits
    of a row whose mean is large beside its spread; the gradient takes it as such. Squares
    are taken of the row times a power of two: no magnitude overflows or underflows. With
    an `epsilon` of 0, a row of equal elements is NaN.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `gamma` and `beta` are C, the last dimension of `x`; `result` is of the type of `x`.
    - (C2) `mean` and `rstd` have the shape of `x` without its last dimension.
    - (C3) `epsilon` is not negative.

    Example:
    ```mlir
    %y, %mean, %rstd = nn.layer_norm %x, %gamma, %beta {epsilon = 1.0e-5 : f64}
        : (tensor<64x384xf32>, tensor<384xf32>, tensor<384xf32>)
        -> (tensor<64x384xf32>, tensor<64xf32>, tensor<64xf32>)
    ```
  }];
  let arguments = (ins NN_Float:$x, NN_Float:$gamma, NN_Float:$beta, F64Attr:$epsilon);
  let results = (outs NN_Float:$result, NN_Float:$mean, NN_Float:$rstd);
  let assemblyFormat = "$x `,` $gamma `,` $beta attr-dict `:` functional-type(operands, results)";
}

def NN_LayerNormGradOp : NN_Op<"layer_norm_grad"> {
  let summary = "gradient of layer normalisation";
  let description = [{
    With `xhat = (x - x[first] - mean) * rstd` and `h = dy * gamma`:
    `dx = rstd * (h - mean(h) - xhat * mean(h * xhat))`, `dgamma = sum(dy * xhat)` and
    `dbeta = sum(dy)`, means over the last dimension and sums over the others.

    Lifespan: made by `zero-differentiate`; consumed by `zero-form-kernels`, which
    splits it: dx is made row by row, dgamma and dbeta column by column.

    Constraints:
    - (C1) shapes as in `nn.layer_norm`; `dy` and `dx` are of the type of `x`.
  }];
  let arguments = (ins NN_Float:$dy, NN_Float:$x, NN_Float:$gamma, NN_Float:$mean, NN_Float:$rstd);
  let results = (outs NN_Float:$dx, NN_Float:$dgamma, NN_Float:$dbeta);
  let assemblyFormat = "$dy `,` $x `,` $gamma `,` $mean `,` $rstd attr-dict `:` functional-type(operands, results)";
}

def NN_RmsNormOp : NN_Op<"rms_norm"> {
  let summary = "root-mean-square normalisation over the last dimension";
  let description = [{
    `result = x * rstd * gamma`, `rstd = 1 / sqrt(mean(x^2) + epsilon)`
    (Zhang and Sennrich 2019, eq. 4). Squares are taken as in `nn.layer_norm`.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `gamma` is C, the last dimension of `x`; `result` is of the type of `x`.
    - (C2) `rstd` has the shape of `x` without its last dimension.
    - (C3) `epsilon` is not negative.
  }];
  let arguments = (ins NN_Float:$x, NN_Float:$gamma, F64Attr:$epsilon);
  let results = (outs NN_Float:$result, NN_Float:$rstd);
  let assemblyFormat = "$x `,` $gamma attr-dict `:` functional-type(operands, results)";
}

def NN_RmsNormGradOp : NN_Op<"rms_norm_grad"> {
  let summary = "gradient of root-mean-square normalisation";
  let description = [{
    With `xhat = x * rstd` and `h = dy * gamma`:
    `dx = rstd * (h - xhat * mean(h * xhat))`, `dgamma = sum(dy * xhat)`.

    Lifespan: made by `zero-differentiate`; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) shapes as in `nn.rms_norm`; `dy` and `dx` are of the type of `x`.
  }];
  let arguments = (ins NN_Float:$dy, NN_Float:$x, NN_Float:$gamma, NN_Float:$rstd);
  let results = (outs NN_Float:$dx, NN_Float:$dgamma);
  let assemblyFormat = "$dy `,` $x `,` $gamma `,` $rstd attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Softmax and losses
//===----------------------------------------------------------------------===//

def NN_SoftmaxOp : NN_Op<"softmax"> {
  let summary = "softmax over the last dimension";
  let description = [{
    `result = exp(x - max(x)) / sum(exp(x - max(x)))`. A row of -inf, of which everything
    is masked, is a row of zeros; one with a +inf or a NaN is NaN.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `result` is of the type of `x`, which has at least one dimension.
  }];
  let arguments = (ins NN_Float:$x);
  let results = (outs NN_Float:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def NN_SoftmaxGradOp : NN_Op<"softmax_grad"> {
  let summary = "gradient of softmax";
  let description = [{
    `dx = y * (dy - sum(dy * y))`, the sum over the last dimension.

    Lifespan: made by `zero-differentiate`; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `dy`, `y` and `dx` are of one type with at least one dimension.
  }];
  let arguments = (ins NN_Float:$dy, NN_Float:$y);
  let results = (outs NN_Float:$dx);
  let assemblyFormat = "$dy `,` $y attr-dict `:` functional-type(operands, results)";
}


def NN_CrossEntropyOp : NN_Op<"cross_entropy"> {
  let summary = "summed cross entropy of logits against labels";
  let description = [{
    `sum = Σ_i (lse_i - logits[i, labels_i])`, `weight` = the number of rows i with
    `labels_i != ignore_index`; other rows add nothing. `lse` is each row's
    log-sum-exp. A step yields `sum` and `weight`.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `logits` is N x V, `labels` and `lse` are N.
    - (C2) `sum` and `weight` are of rank 0.
  }];
  let arguments = (ins NN_Float:$logits, NN_Int:$labels,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs NN_Float:$sum, NN_Float:$weight, NN_Float:$lse);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` functional-type(operands, results)";
}

def NN_CrossEntropyRowsOp : NN_Op<"cross_entropy_rows"> {
  let summary = "cross entropy of each row";
  let description = [{
    The row-wise part of `nn.cross_entropy`: `loss_i` and `weight_i` are what row i
    adds to the sum and to the weight, 0 and 0 for an ignored row.

    Lifespan: made and consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `logits` is N x V; `labels`, `loss`, `weight` and `lse` are N.
  }];
  let arguments = (ins NN_Float:$logits, NN_Int:$labels,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs NN_Float:$loss, NN_Float:$weight, NN_Float:$lse);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` functional-type(operands, results)";
}

def NN_CrossEntropyGradOp : NN_Op<"cross_entropy_grad"> {
  let summary = "gradient of the summed cross entropy";
  let description = [{
    `dlogits[i, v] = dsum * (exp(logits[i, v] - lse_i) - [v = labels_i])`, and zero in
    rows whose label is `ignore_index`.

    Lifespan: made by `zero-differentiate`; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) shapes as in `nn.cross_entropy`; `dsum` is of rank 0; `dlogits` is of the
      type of `logits`.
  }];
  let arguments = (ins NN_Float:$dsum, NN_Float:$logits, NN_Int:$labels, NN_Float:$lse,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs NN_Float:$dlogits);
  let assemblyFormat = "$dsum `,` $logits `,` $labels `,` $lse attr-dict `:` functional-type(operands, results)";
}

def NN_LinearCrossEntropyOp : NN_Op<"linear_cross_entropy"> {
  let summary = "output head and summed cross entropy in row tiles";
  let description = [{
    `nn.cross_entropy` of `logits = x * transpose(w) (+ bias)`, without the logits
    ever standing whole.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `x` is N x C, `w` is V x C, `labels` is N, `bias` is V.
    - (C2) `sum` and `weight` are of rank 0.
  }];
  let arguments = (ins NN_Float:$x, NN_Float:$w, NN_Int:$labels, Optional<NN_Float>:$bias,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs NN_Float:$sum, NN_Float:$weight);
  let assemblyFormat = [{
    $x `,` $w `,` $labels (`bias` $bias^)? attr-dict `:` functional-type(operands, results)
  }];
}

def NN_LinearCrossEntropyGradOp : NN_Op<"linear_cross_entropy_grad"> {
  let summary = "loss and gradients of the output head in one sweep over row tiles";
  let description = [{
    `sum` and `weight` as in `nn.linear_cross_entropy`, and the gradients of
    `dsum * sum`, so that the logits of a tile are made once for all of them.

    Lifespan: made by `zero-differentiate`; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) shapes as in `nn.linear_cross_entropy`; `dsum` is of rank 0.
    - (C2) `dx`, `dw` and `dbias` are of the types of `x`, `w` and `bias`; `dbias` is
      there where `bias` is.
  }];
  let arguments = (ins NN_Float:$dsum, NN_Float:$x, NN_Float:$w, NN_Int:$labels,
                       Optional<NN_Float>:$bias,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs NN_Float:$sum, NN_Float:$weight, NN_Float:$dx, NN_Float:$dw,
                      Optional<NN_Float>:$dbias);
  let assemblyFormat = [{
    $dsum `,` $x `,` $w `,` $labels (`bias` $bias^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

def NN_AttentionOp : NN_Op<"attention", [AttrSizedOperandSegments]> {
  let summary = "scaled dot-product attention with memory linear in the sequence";
  let description = [{
    For each sample b, head h and position i:
    `result[b,i,h,:] = Σ_j p_ij v[b,j,g,:]`, `p_i = softmax_j(scale * q[b,i,h,:]·k[b,j,g,:])`
    with key/value head `g = h / (H / Hkv)`; `lse` is the log-sum-exp of the scaled
    scores. i sees j unless `causal` and j > i, or j >= `key_lengths[b]`, or
    `segments` of i and j differ. A row that sees nothing is zero with an lse of zero.
    With `dropout`, p is dropped by the generator of `nn.dropout` and the rest scaled
    by 1 / (1 - dropout). Algorithm: Dao 2023 (FlashAttention-2), algorithms 1 and 2.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `q` and `result` are B x T x H x D; `k` and `v` are B x S x Hkv x D; Hkv divides H.
    - (C2) `lse` is B x H x T.
    - (C3) `key_lengths` is B; `segments` is B x T and needs T = S.
    - (C4) `causal` needs T = S.
    - (C5) 0 <= `dropout` < 1; a positive one needs `site`.
    - (C6) `random` has 4 elements.

    Example:
    ```mlir
    %o, %lse = nn.attention %q, %k, %v {causal, scale = 0.125 : f64}
        : (tensor<4x256x12x64xf32>, tensor<4x256x12x64xf32>, tensor<4x256x12x64xf32>)
        -> (tensor<4x256x12x64xf32>, tensor<4x12x256xf32>)
    ```
  }];
  let arguments = (ins NN_Float:$q, NN_Float:$k, NN_Float:$v, Optional<NN_Int>:$key_lengths,
                       Optional<NN_Int>:$segments, Optional<I64>:$site,
                       Optional<NN_Random>:$random, UnitAttr:$causal, F64Attr:$scale,
                       DefaultValuedAttr<F64Attr, "0.0">:$dropout);
  let results = (outs NN_Float:$result, NN_Float:$lse);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`key_lengths` $key_lengths^)? (`segments` $segments^)?
    (`site` $site^)? (`random` $random^)? attr-dict `:` functional-type(operands, results)
  }];
}

def NN_AttentionGradOp : NN_Op<"attention_grad", [AttrSizedOperandSegments]> {
  let summary = "gradient of attention";
  let description = [{
    Probabilities are computed again from `q`, `k` and `lse`, tile by tile
    (Dao 2023, algorithm 2).

    Lifespan: made by `zero-differentiate`; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) shapes as in `nn.attention`; `dy` and `y` are of the type of `q`; `dq`, `dk`
      and `dv` are of the types of `q`, `k` and `v`.
  }];
  let arguments = (ins NN_Float:$dy, NN_Float:$q, NN_Float:$k, NN_Float:$v, NN_Float:$y,
                       NN_Float:$lse, Optional<NN_Int>:$key_lengths,
                       Optional<NN_Int>:$segments, Optional<I64>:$site,
                       Optional<NN_Random>:$random, UnitAttr:$causal, F64Attr:$scale,
                       DefaultValuedAttr<F64Attr, "0.0">:$dropout);
  let results = (outs NN_Float:$dq, NN_Float:$dk, NN_Float:$dv);
  let assemblyFormat = [{
    $dy `,` $q `,` $k `,` $v `,` $y `,` $lse (`key_lengths` $key_lengths^)?
    (`segments` $segments^)? (`site` $site^)? (`random` $random^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_RopeOp : NN_Op<"rope"> {
  let summary = "rotary position embedding";
  let description = [{
    Rotates the pair (x[.., d], x[.., d + D/2]) of position t by the angle
    `t * base^(-2d/D)` (Su et al. 2021, eq. 34, halves instead of neighbours), by its
    negative with `inverse`, which is the gradient.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `x` is B x T x H x D with D even; `result` is of the type of `x`.
    - (C2) `base` is positive.
  }];
  let arguments = (ins NN_Float:$x, DefaultValuedAttr<F64Attr, "10000.0">:$base,
                       UnitAttr:$inverse);
  let results = (outs NN_Float:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

def NN_DropoutOp : NN_Op<"dropout"> {
  let summary = "drops elements at random and scales the rest";
  let description = [{
    `result = x * mask / (1 - probability)`. The mask of an element is a function of
    (seed, step, micro-step, global sample, site, element of the sample) by a
    counter-based generator (Philox4x32-10, Salmon et al. 2011): different over ranks,
    equal over stages, world sizes and recomputation. `random` holds (seed, step,
    micro-step, first global sample of this rank); `zero-insert-update` attaches it.
    The first dimension of `x` is samples times `rows_per_sample`. The gradient is the
    same operation on the gradient.

    Lifespan: written by models; consumed by `zero-form-kernels`.

    Constraints:
    - (C1) `result` is of the type of `x`, which has at least one dimension.
    - (C2) 0 <= `probability` < 1.
    - (C3) `rows_per_sample` is positive and divides the first dimension.
    - (C4) `random` has 4 elements.
  }];
  let arguments = (ins NN_Float:$x, I64:$site, Optional<NN_Random>:$random,
                       F64Attr:$probability,
                       DefaultValuedAttr<I64Attr, "1">:$rows_per_sample);
  let results = (outs NN_Float:$result);
  let assemblyFormat = [{
    $x `site` $site (`random` $random^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif
