/** The error for a damaged link or file. */
import { DAMAGED } from './texts'

/** The subject of messages, such as `This link`, and an alternative. */
export interface Source {
  name: string
  instead: string
}

/** @param error a JSON parser's message does not help the recipient */
export function damagedLink({ name, instead }: Source, error: unknown): Error {
  const why =
    error instanceof SyntaxError
      ? DAMAGED.empty
      : error instanceof Error
        ? error.message
        : String(error)
  return new Error(DAMAGED.damaged(name, why, instead))
}
