/** Patterns as RE2 writes them, which is what schemas state, in terms of the platform's regular expressions. */

/** RE2's words for classes that the platform spells otherwise. */
const POSIX: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

const compiled = new Map<string, RegExp>()
/** Matches nothing: what a pattern does that cannot be read. */
const NEVER = /(?!)/u

export function compilePattern(pattern: string): RegExp {
  let expression = compiled.get(pattern)
  if (expression === undefined) {
    expression = parsePattern(pattern) ?? NEVER
    compiled.set(pattern, expression)
  }
  return expression
}

/** @returns undefined if the platform cannot read it */
export function parsePattern(pattern: string): RegExp | undefined {
  const flags = /^\(\?([ims]+)\)/.exec(pattern)
  const body = flags ? pattern.slice(flags[0].length) : pattern
  try {
    return new RegExp(translated(body), `u${flags?.[1] ?? ''}`)
  } catch {
    return undefined
  }
}

function translated(pattern: string): string {
  return (
    pattern
      .replace(/\\A/g, '^')
      .replace(/\\z/g, '$')
      .replace(/\(\?P</g, '(?<')
      .replace(/\\p([LMNPSZC])(?![\w{])/g, '\\p{$1}')
      .replace(/\[:(\^?)(\w+):\]/g, (whole, _not: string, name: string) => POSIX[name] ?? whole)
      // Escapes that the platform knows only where they are needed.
      .replace(/\\([^\sA-Za-z0-9^$\\.*+?()[\]{}|/-])/g, '$1')
  )
}
