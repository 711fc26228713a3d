export type IntOrPercent = number | string | undefined

export function resolved(value: IntOrPercent, total: number, rounding: 'up' | 'down'): number {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  const share = (Number.parseInt(value, 10) * total) / 100
  return rounding === 'up' ? Math.ceil(share) : Math.floor(share)
}
