/** Where the rows of a virtualized list are, in pixels. */
export interface RowLayout {
  count: number
  height: number
  /** For `count`: the end of the last row. */
  topOf(index: number): number
  /** At most `count`. */
  indexAt(offset: number): number
}

export const equalRows = (count: number, rowHeight: number): RowLayout => ({
  count,
  height: count * rowHeight,
  topOf: (index) => index * rowHeight,
  indexAt: (offset) => Math.min(count, Math.max(0, Math.floor(offset / rowHeight))),
})

/** @param heights measured ones @param estimate of the others */
export function measuredRows(
  keys: readonly RowKey[],
  heights: ReadonlyMap<RowKey, number>,
  estimate: number,
): RowLayout {
  const count = keys.length
  const tops = new Float64Array(count + 1)
  for (let index = 0; index < count; index++)
    tops[index + 1] = (tops[index] as number) + (heights.get(keys[index] as RowKey) ?? estimate)
  return {
    count,
    height: tops[count] as number,
    topOf: (index) => tops[Math.min(index, count)] as number,
    indexAt(offset) {
      let low = 0
      let high = count
      while (low < high) {
        const middle = (low + high) >> 1
        if ((tops[middle + 1] as number) <= offset) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}

export type RowKey = string | number

/** @returns where the key is now, searched outward from where it was */
export function indexOfKey(
  keyAt: (index: number) => RowKey,
  count: number,
  key: RowKey,
  was: number,
): number | undefined {
  for (let by = 0; by <= Math.max(was, count - was); by++) {
    const [before, after] = [was - by, was + by]
    if (after < count && keyAt(after) === key) return after
    if (before >= 0 && before < count && keyAt(before) === key) return before
  }
  return undefined
}
