/**
 * BERT in plain f64 over the published weights: nothing blocked, nothing quantised, each line one of
 * the paper's. The oracle of the encoder.
 */

type Row = Float64Array;

export interface Reference {
  /** The unit vector of these tokens, by either way to pool. */
  embed(ids: readonly number[]): Readonly<Record<"mean" | "cls", Float64Array>>;
}

export function openReference(files: ReadonlyMap<string, Uint8Array>): Reference {
  const json = (name: string) => JSON.parse(new TextDecoder().decode(files.get(name)));
  const config = json("config.json");
  const tensor = tensors(files.get("model.safetensors") ?? new Uint8Array());
  const width: number = config.hidden_size;
  const row = (name: string, i: number): Float32Array =>
    tensor(name).subarray(i * width, (i + 1) * width);

  const norm = (rows: Row[], name: string): Row[] =>
    rows.map((values) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / width;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
      const [gamma, beta] = [tensor(`${name}.weight`), tensor(`${name}.bias`)];
      return values.map((value, d) =>
        (value - mean) / Math.sqrt(variance + config.layer_norm_eps) * (gamma[d] ?? 0) +
        (beta[d] ?? 0)
      );
    });

  const dense = (rows: Row[], name: string): Row[] => {
    const [weights, bias] = [tensor(`${name}.weight`), tensor(`${name}.bias`)];
    return rows.map((values) =>
      Float64Array.from(bias, (start, o) => {
        let sum = start;
        const from = o * values.length;
        for (let d = 0; d < values.length; d++) sum += (values[d] ?? 0) * (weights[from + d] ?? 0);
        return sum;
      })
    );
  };

  const attend = (rows: Row[], name: string): Row[] => {
    const [q, k, v] = ["query", "key", "value"].map((part) => dense(rows, `${name}.${part}`));
    const depth = width / config.num_attention_heads;
    return rows.map((_, i) => {
      const out = new Float64Array(width);
      for (let from = 0; from < width; from += depth) {
        const scores = rows.map((_, j) => {
          let sum = 0;
          for (let d = from; d < from + depth; d++) sum += (q?.[i]?.[d] ?? 0) * (k?.[j]?.[d] ?? 0);
          return sum / Math.sqrt(depth);
        });
        const largest = Math.max(...scores);
        const shares = scores.map((score) => Math.exp(score - largest));
        const total = shares.reduce((sum, share) => sum + share, 0);
        for (let d = from; d < from + depth; d++) {
          out[d] = shares.reduce((sum, share, j) => sum + share / total * (v?.[j]?.[d] ?? 0), 0);
        }
      }
      return out;
    });
  };

  const add = (a: Row[], b: Row[]): Row[] =>
    a.map((values, i) => values.map((value, d) => value + (b[i]?.[d] ?? 0)));

  return {
    embed(ids) {
      let rows: Row[] = ids.map((id, i) =>
        Float64Array.from(
          row("embeddings.word_embeddings.weight", id),
          (value, d) =>
            value + (row("embeddings.position_embeddings.weight", i)[d] ?? 0) +
            (row("embeddings.token_type_embeddings.weight", 0)[d] ?? 0),
        )
      );
      rows = norm(rows, "embeddings.LayerNorm");
      for (let l = 0; l < config.num_hidden_layers; l++) {
        const layer = `encoder.layer.${l}.`;
        const mixed = dense(
          attend(rows, `${layer}attention.self`),
          `${layer}attention.output.dense`,
        );
        rows = norm(add(rows, mixed), `${layer}attention.output.LayerNorm`);
        const inner = dense(rows, `${layer}intermediate.dense`)
          .map((values) => values.map((x) => x * 0.5 * (1 + erf(x / Math.SQRT2))));
        rows = norm(add(rows, dense(inner, `${layer}output.dense`)), `${layer}output.LayerNorm`);
      }
      return { mean: pool(rows), cls: pool(rows.slice(0, 1)) };
    },
  };
}

function pool(rows: readonly Row[]): Row {
  const sum = new Float64Array(rows[0]?.length ?? 0);
  for (const values of rows) values.forEach((value, d) => sum[d] = (sum[d] ?? 0) + value);
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

/** By its series below 3, by its continued fraction above: to 1e-12. */
function erf(x: number): number {
  const z = Math.abs(x);
  if (z > 6) return Math.sign(x);
  if (z < 3) {
    let [term, sum] = [x, x];
    for (let n = 1; n < 80; n++) {
      term *= -x * x / n;
      sum += term / (2 * n + 1);
    }
    return 2 / Math.sqrt(Math.PI) * sum;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (z + fraction);
  return Math.sign(x) * (1 - Math.exp(-z * z) / Math.sqrt(Math.PI) / (z + fraction));
}

function tensors(bytes: Uint8Array): (name: string) => Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
  return (name) => {
    const [from, to] = head[name].data_offsets;
    return new Float32Array(bytes.buffer, bytes.byteOffset + start + from, (to - from) / 4);
  };
}
