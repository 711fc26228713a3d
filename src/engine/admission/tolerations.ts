import { equalJson } from '../core/object'
import type { Toleration } from '../validation/pods'

/** Without tolerations that others cover; the first of equal ones remains. */
export function mergeTolerations(first: Toleration[], second: Toleration[]): Toleration[] {
  const all = [...first, ...second]
  const merged: Toleration[] = []
  all.forEach((toleration, i) => {
    const coveredBefore = merged.some((other) => covers(other, toleration))
    const coveredLater = all
      .slice(i + 1)
      .some((other) => !equalJson(other, toleration) && covers(other, toleration))
    if (!coveredBefore && !coveredLater) merged.push(toleration)
  })
  return merged
}

/** An empty key with `Exists`, and an empty effect, match all. Absent seconds mean forever. */
export function covers(wide: Toleration, narrow: Toleration): boolean {
  if (equalJson(wide, narrow)) return true
  const everyKey = !wide.key && wide.operator === 'Exists'
  if ((narrow.key ?? '') !== (wide.key ?? '') && !everyKey) return false
  if (wide.effect && narrow.effect !== wide.effect) return false
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds)
      return false
  }
  if (wide.operator === 'Exists') return true
  if (wide.operator && wide.operator !== 'Equal') return false
  return (
    (!narrow.operator || narrow.operator === 'Equal') && (narrow.value ?? '') === (wide.value ?? '')
  )
}
