import { entryOf } from '../../core/object'

/**
 * See kubernetes.io, "Validation rules", "Escaping" (without `var`, `void` and `while`), and
 * k8s.io/apiserver, pkg/cel/escaping.go.
 */

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

/** @returns undefined for a name that CEL cannot access */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/.test(name)) return undefined
  if (RESERVED.has(name)) return `__${name}__`
  return name.replace(/__|[.\-/]/g, (part) => entryOf(ESCAPES, part) as string)
}
