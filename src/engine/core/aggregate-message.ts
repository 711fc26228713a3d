/**
 * Joins error messages as k8s.io/apimachinery does: several in brackets, without duplicates
 * (kube-apiserver 1.31).
 */
export function aggregateMessage(messages: readonly string[]): string {
  const distinct = [...new Set(messages)]
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`
}
