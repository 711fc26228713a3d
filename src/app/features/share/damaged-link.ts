/** The one sentence about a text that should have carried something and cannot be read. */
import { DAMAGED } from './texts'

/** The subject of messages, such as `This link`, and an alternative to opening it. */
export interface Source {
  name: string
  instead: string
}

/**
 * @param error the original error; a JSON parser's message does not help the recipient of a link
 */
export function damagedLink({ name, instead }: Source, error: unknown): Error {
  const why =
    error instanceof SyntaxError
      ? DAMAGED.empty
      : error instanceof Error
        ? error.message
        : String(error)
  return new Error(DAMAGED.damaged(name, why, instead))
}
