import { titleOf } from '../../state/workspace'
import type { Side } from './comparison-state'
import { COMPARE } from './texts'

/** Names of the sides by what differs. */
export function sideTitles(left: Side, right: Side): [string, string] {
  const parts = (side: Side) => [
    ...(left.workspace === right.workspace ? [] : [titleOf(side.workspace)]),
    ...(left.release === right.release ? [] : [side.release ?? COMPARE.ofWorkspace]),
    ...(left.user === right.user ? [] : [side.user ?? COMPARE.ofRequest]),
    ...(left.gates === right.gates ? [] : [side.gates || COMPARE.defaultGates]),
  ]
  return [parts(left).join(', ') || COMPARE.left, parts(right).join(', ') || COMPARE.right]
}
