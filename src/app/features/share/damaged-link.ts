import { DAMAGED } from './texts'

/** `name` is the subject of messages: `This link`. */
export interface Source {
  name: string
  instead: string
}

/** @param error a JSON parser's message is omitted, because it would not help the recipient */
export function damagedLink({ name, instead }: Source, error: unknown): Error {
  const why =
    error instanceof SyntaxError
      ? DAMAGED.empty
      : error instanceof Error
        ? error.message
        : String(error)
  return new Error(DAMAGED.damaged(name, why, instead))
}
