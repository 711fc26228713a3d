/**
 * Computes a value on first use and caches it.
 * @param compute returns the same value whenever it runs
 */
export function lazy<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}
