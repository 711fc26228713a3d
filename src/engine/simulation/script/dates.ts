/** The date inside a running program. */
import { formattedDate } from '../log-lines'
import type { ScriptState } from './command'

/**
 * @param pattern as for `date +pattern`
 * @returns a placeholder that the log fills in if the start of the program is not known
 */
export const dateIn = (pattern: string, { around, time }: ScriptState): string =>
  around.now === undefined ? `{date:${pattern}}` : formattedDate(pattern, around.now + time * 1000)
