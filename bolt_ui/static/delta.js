// A chart from the one before and a patch; bolt_core/frames/delta.py says what a patch is.
// The old chart is left as it is, so that whoever still draws it is not disturbed.
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
