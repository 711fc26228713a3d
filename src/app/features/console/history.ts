import { load, store } from '../../state/stored'
import { ownKey } from '../../state/workspace'

const KEY = ownKey('console-history')
const MOST = 500

/** Lines that may contain a credential, or begin with a space, are not stored. */
const PRIVATE = /^\s|secret|token|password/i

let lines = load<string[]>(KEY, [])

export const history = {
  lines: (): readonly string[] => lines,
  add(line: string): void {
    if (line.trim() === '' || lines.at(-1) === line) return
    lines = [...lines, line].slice(-MOST)
    store(
      KEY,
      lines.filter((one) => !PRIVATE.test(one)),
    )
  },
}
