/** What the words of a command mean before it runs. */
import type { Word } from './words'

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|a|da)?sh$/

/** @returns the script and its parameters if the command is a shell with `-c` */
export function scriptIn(
  argv: readonly string[],
): { script: string; options: string; parameters: readonly string[] } | undefined {
  const [shell = '', ...rest] = argv
  if (!SHELL.test(shell)) return undefined
  const at = rest.findIndex((word) => !/^-[a-z]+$/.test(word))
  const options = rest.slice(0, at < 0 ? rest.length : at).join('')
  const script = rest[at]
  return at > 0 && options.includes('c') && script !== undefined
    ? { script, options, parameters: rest.slice(at + 1) }
    : undefined
}

export function isHead(word: Word | undefined): boolean {
  const [part] = word ?? []
  return part?.kind === 'text' && /(?:^|\/)head$/.test(part.text)
}

export function assignmentIn([first, ...rest]: Word): { name: string; value: Word } | undefined {
  if (first?.kind !== 'text' || first.quoted) return undefined
  const found = /^([A-Za-z_]\w*)=/.exec(first.text)
  if (found === null) return undefined
  return {
    name: found[1] ?? '',
    value: [{ ...first, text: first.text.slice(found[0].length) }, ...rest],
  }
}
