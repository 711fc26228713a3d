/** The one sentence about a text that should have carried something and cannot be read. */

/** How it is told of: `This link`, and what one does instead of opening it. */
export interface Source {
  name: string
  instead: string
}

/** @param error what reading it threw; the words of a JSON parser say nothing to who was sent a link */
export function damagedLink({ name, instead }: Source, error: unknown): Error {
  const why =
    error instanceof SyntaxError
      ? 'it does not contain a scenario'
      : error instanceof Error
        ? error.message
        : String(error)
  return new Error(`${name} is damaged or was cut short (${why}): ${instead}`)
}
