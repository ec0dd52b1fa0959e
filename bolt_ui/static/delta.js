// Apply a patch to a chart; bolt_core/charts/delta.py defines patches. The old chart is not changed,
// because it may still be being drawn.
export function apply(old, patch) {
  if (patch === undefined || patch === null) return old;
  if ('v' in patch) return patch.v;
  if ('l' in patch) {
    const [head, tail, middle] = patch.l;
    return [...old.slice(0, head), ...middle, ...old.slice(old.length - tail)];
  }
  if ('e' in patch) {
    return [...old.slice(0, patch.n).map((v, i) => apply(v, patch.e[i])), ...patch.t];
  }
  const made = { ...old };
  for (const key of patch.r ?? []) delete made[key];
  for (const [key, step] of Object.entries(patch.d)) made[key] = apply(old[key], step);
  return made;
}
