/** An ordered set of keys in chunks, so that inserting among 100,000 keys moves a few hundred, not all. */

const CHUNK = 512

export class SortedKeys {
  private chunks: string[][] = []
  private size = 0

  get count(): number {
    return this.size
  }

  /** @returns false if the key is there already */
  add(key: string): boolean {
    if (this.chunks.length === 0) {
      this.chunks.push([key])
      this.size++
      return true
    }
    const at = Math.max(0, this.chunkBefore(key))
    const chunk = this.chunks[at] as string[]
    const index = lowerBound(chunk, key)
    if (chunk[index] === key) return false
    chunk.splice(index, 0, key)
    this.size++
    if (chunk.length > CHUNK) this.chunks.splice(at, 1, chunk.slice(0, CHUNK / 2), chunk.slice(CHUNK / 2))
    return true
  }

  delete(key: string): boolean {
    const at = this.chunkBefore(key)
    const chunk = this.chunks[at]
    if (chunk === undefined) return false
    const index = lowerBound(chunk, key)
    if (chunk[index] !== key) return false
    chunk.splice(index, 1)
    if (chunk.length === 0) this.chunks.splice(at, 1)
    this.size--
    return true
  }

  /** Keys from `start` (inclusive) in order, while they begin with `prefix`. */
  *from(start: string, prefix: string): Generator<string> {
    let at = Math.max(0, this.chunkBefore(start))
    let index = lowerBound(this.chunks[at] ?? [], start)
    for (; at < this.chunks.length; at++, index = 0) {
      const chunk = this.chunks[at] as string[]
      for (; index < chunk.length; index++) {
        const key = chunk[index] as string
        if (!key.startsWith(prefix)) return
        yield key
      }
    }
  }

  /** How many keys stand before `key`. */
  rank(key: string): number {
    const at = this.chunkBefore(key)
    if (at < 0) return 0
    let count = 0
    for (let i = 0; i < at; i++) count += (this.chunks[i] as string[]).length
    return count + lowerBound(this.chunks[at] as string[], key)
  }

  /** Index of the last chunk whose first key is not behind `key`; -1 if all are. */
  private chunkBefore(key: string): number {
    let low = 0
    let high = this.chunks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (((this.chunks[middle] as string[])[0] as string) <= key) low = middle + 1
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
