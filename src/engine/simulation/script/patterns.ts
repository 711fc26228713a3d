/** Patterns of the shell (POSIX.1-2017, "Pattern Matching Notation"). */
import type { FileSystem } from './files'

type Piece = { kind: 'any' } | { kind: 'one'; fits(character: string): boolean }

const SPECIAL = /[*?[\\]/

/** Whether the text has `*`, `?` or a bracket expression. */
export const hasPattern = (text: string): boolean =>
  /[*?]/.test(text) || text.split(']').slice(0, -1).some(opensBracket)

/** @param part of a text, up to a closing bracket */
function opensBracket(part: string): boolean {
  const at = part.indexOf('[')
  return at >= 0 && at < part.length - 1
}

/** Escapes the characters that patterns interpret. */
export const literal = (text: string): string => text.replace(/[*?[\]\\]/g, '\\$&')

function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? ''
    const end = character === '[' ? pattern.indexOf(']', at + 2) : -1
    if (character === '*') {
      if (pieces.at(-1)?.kind !== 'any') pieces.push({ kind: 'any' })
    } else if (character === '?') pieces.push({ kind: 'one', fits: () => true })
    else if (end > 0) {
      pieces.push({ kind: 'one', fits: classOf(pattern.slice(at + 1, end)) })
      at = end
    } else {
      const wanted = character === '\\' ? (pattern[++at] ?? '') : character
      pieces.push({ kind: 'one', fits: (one) => one === wanted })
    }
  }
  return pieces
}

function classOf(text: string): (character: string) => boolean {
  const negated = text.startsWith('!') || text.startsWith('^')
  const members = negated ? text.slice(1) : text
  return (character) => {
    let isMember = false
    for (let at = 0; at < members.length; at++) {
      const first = members[at] ?? ''
      const last = members[at + 1] === '-' ? members[at + 2] : undefined
      if (last !== undefined) {
        if (character >= first && character <= last) isMember = true
        at += 2
      } else if (character === first) isMember = true
    }
    return isMember !== negated
  }
}

/** Takes at most the product of both lengths. */
export function matches(pattern: string, text: string): boolean {
  if (!SPECIAL.test(pattern)) return pattern === text
  const pieces = piecesOf(pattern)
  let [piece, at, star, retry] = [0, 0, -1, 0]
  while (at < text.length) {
    const one = pieces[piece]
    if (one?.kind === 'any') {
      star = piece++
      retry = at
    } else if (one?.fits(text[at] ?? '')) {
      piece++
      at++
    } else if (star >= 0) {
      piece = star + 1
      at = ++retry
    } else return false
  }
  while (pieces[piece]?.kind === 'any') piece++
  return piece === pieces.length
}

/** Removes a matching prefix or suffix: `${name#pattern}`, `${name%%pattern}`. */
export function trimmed(text: string, pattern: string, operator: string): string {
  const isPrefix = operator.startsWith('#')
  const isLongest = operator.length === 2
  for (let length = 0; length <= text.length; length++) {
    const size = isLongest ? text.length - length : length
    const part = isPrefix ? text.slice(0, size) : text.slice(text.length - size)
    if (matches(pattern, part))
      return isPrefix ? text.slice(size) : text.slice(0, text.length - size)
  }
  return text
}

const MAXIMUM_PATHS = 1000

/** @returns the sorted paths that match; empty if none does */
export function pathsOf(files: FileSystem, pattern: string): string[] {
  const [start, ...rest] = pattern.split('/')
  let paths = ['']
  if (start !== '') paths = next(files, ['.'], start ?? '').map((path) => path.slice(2))
  for (const part of rest) {
    if (part === '') continue
    paths = next(files, paths, part)
  }
  return paths.filter((path) => path !== '').sort()
}

function next(files: FileSystem, directories: readonly string[], part: string): string[] {
  return directories
    .flatMap((directory) => {
      const at = directory || '/'
      if (!SPECIAL.test(part)) {
        const path = `${directory}/${part}`
        return files.there(path) === undefined ? [] : [path]
      }
      if (files.there(at) !== 'directory') return []
      return files
        .list(at)
        .filter((name) => matches(part, name) && (part.startsWith('.') || !name.startsWith('.')))
        .map((name) => `${directory}/${name}`)
    })
    .slice(0, MAXIMUM_PATHS)
}
