/** Whether counted work grows in proportion to what it works on. */

/** Linear work costs the same for each further item, sorting a third more, pairs eight times. */
const MORE_FOR_EACH = 1.6
/** Work too small to measure, such as clearing a cache. */
const NOISE = 20_000
/** A later cost that is at least this share of an earlier one is the same growth. */
const LESS_FOR_EACH = 0.4

/** What one size cost. */
export interface Measured {
  size: number
  work: number
}

/**
 * Reports whether the cost of a further item grows with their number, from one size of the list to
 * the next. A constant in front of the growth does not hide it, as it would in the ratio of two
 * sizes. Work that begins at some size, such as errors beyond a limit, does not grow on after it.
 *
 * @param measured smallest size first
 */
export function growsTooFast(measured: readonly Measured[]): boolean {
  const costs = measured.slice(1).map((to, index) => {
    const from = measured[index] as Measured
    const items = to.size - from.size
    return { each: (to.work - from.work) / items, noise: NOISE / items }
  })
  const grows = (index: number): boolean => {
    const [before, cost] = [costs[index - 1], costs[index]]
    if (before === undefined || cost === undefined) return false
    return cost.each > MORE_FOR_EACH * (Math.max(0, before.each) + before.noise) + cost.noise
  }
  return costs.some(({ each }, index) => {
    const after = costs[index + 1]
    const isOver = after !== undefined && !grows(index + 1) && after.each > LESS_FOR_EACH * each
    return grows(index) && !isOver
  })
}

/** The sizes cannot distinguish growth from work that starts at the last size. */
export const CONFIRMED = 4
