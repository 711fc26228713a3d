/** The libraries that the server offers beside the language itself. */
import type { Library } from '../environment'

export const LIBRARIES: readonly Library[] = []
