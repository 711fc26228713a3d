/**
 * Aggregates errors as k8s.io/apimachinery does: duplicates removed, several in brackets. Recorded
 * from kube-apiserver 1.31.
 */
export function aggregated(messages: readonly string[]): string {
  const distinct = [...new Set(messages)]
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`
}
