/** Chunks: an insert among 100,000 keys moves a few hundred, and a range copies slices. */

const CHUNK = 512

interface Chunk<V> {
  keys: string[]
  values: V[]
}

export class SortedMap<V> {
  private chunks: Chunk<V>[] = []

  static of<V>(keys: readonly string[], values: readonly V[]): SortedMap<V> {
    const map = new SortedMap<V>()
    // Half full, as after a split.
    for (let at = 0; at < keys.length; at += CHUNK / 2) {
      map.chunks.push({
        keys: keys.slice(at, at + CHUNK / 2),
        values: values.slice(at, at + CHUNK / 2),
      })
    }
    return map
  }

  /** @returns false if the key exists */
  add(key: string, value: V): boolean {
    if (this.chunks.length === 0) this.chunks.push({ keys: [], values: [] })
    const at = Math.max(0, this.chunkOf(key))
    const { keys, values } = this.chunks[at] as Chunk<V>
    const index = lowerBound(keys, key)
    if (keys[index] === key) return false
    keys.splice(index, 0, key)
    values.splice(index, 0, value)
    if (keys.length > CHUNK) {
      this.chunks.splice(at + 1, 0, {
        keys: keys.splice(CHUNK / 2),
        values: values.splice(CHUNK / 2),
      })
    }
    return true
  }

  /** @returns false if the key does not exist */
  delete(key: string): boolean {
    const at = this.chunkOf(key)
    const chunk = this.chunks[at]
    if (chunk === undefined) return false
    const index = lowerBound(chunk.keys, key)
    if (chunk.keys[index] !== key) return false
    chunk.keys.splice(index, 1)
    chunk.values.splice(index, 1)
    if (chunk.keys.length === 0) this.chunks.splice(at, 1)
    return true
  }

  /** Excludes `end`. */
  slice(start: string, end: string, limit = Number.POSITIVE_INFINITY): V[] {
    const found: V[] = []
    let at = Math.max(0, this.chunkOf(start))
    let index = lowerBound(this.chunks[at]?.keys ?? [], start)
    for (; at < this.chunks.length && found.length < limit; at++, index = 0) {
      const { keys, values } = this.chunks[at] as Chunk<V>
      // Ranges are often empty: skip the search for the end.
      if (index < keys.length && (keys[index] as string) >= end) break
      const whole = (keys[keys.length - 1] as string) < end
      const stop = Math.min(
        whole ? keys.length : lowerBound(keys, end),
        index + limit - found.length,
      )
      for (; index < stop; index++) found.push(values[index] as V)
      if (!whole) break
    }
    return found
  }

  count(start: string, end: string): number {
    return this.rank(end) - this.rank(start)
  }

  private rank(key: string): number {
    const at = this.chunkOf(key)
    if (at < 0) return 0
    let count = 0
    for (let i = 0; i < at; i++) count += (this.chunks[i] as Chunk<V>).keys.length
    return count + lowerBound((this.chunks[at] as Chunk<V>).keys, key)
  }

  /** The last chunk whose first key is not after `key`; -1 if none. */
  private chunkOf(key: string): number {
    let low = 0
    let high = this.chunks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (((this.chunks[middle] as Chunk<V>).keys[0] as string) <= key) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

function lowerBound(keys: string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}
