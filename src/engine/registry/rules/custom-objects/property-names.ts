import { entryOf } from '../../../object'

/** Names of properties as expressions write them (document 3, "Expression language" 1; of the language's reserved words it leaves out the last three). */

const RESERVED: ReadonlySet<string> = new Set([
  'true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package',
  'namespace', 'return', 'var', 'void', 'while',
]) // biome-ignore format: one table

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

/** @returns undefined for a name that expressions cannot reach */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/.test(name)) return undefined
  if (RESERVED.has(name)) return `__${name}__`
  return name.replace(/__|[.\-/]/g, (part) => entryOf(ESCAPES, part) as string)
}
