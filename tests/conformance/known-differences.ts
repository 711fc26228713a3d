/**
 * Lists of known differences: the exchanges whose responses still differ from those of kube-apiserver.
 * A list only shrinks, so that a rule that became right stays right.
 *
 *     # comment
 *     [recordings/access-rbac]
 *     name-of-recording: step step
 *     name-of-another: *            (all of its steps)
 *
 * A step's id that a recording uses more than once counts on: `s1`, `s1#2`.
 */
import type { StepResult } from './replay'

/** Ids of steps by `folder/file` and name of recording. */
export type Differences = Map<string, Map<string, Set<string>>>

/** One recording replayed. */
export interface RecordingResult {
  /** `recordings/access-rbac` */
  file: string
  name: string
  steps: StepResult[]
}

/** The IDs of the steps of a recording. */
export function stepKeys(ids: string[]): string[] {
  const seen = new Map<string, number>()
  return ids.map((id) => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return count === 1 ? id : `${id}#${count}`
  })
}

/** @throws Error naming the line that is not of the format */
export function parseDifferences(text: string): {
  comments: string[]
  byFile: Map<string, Map<string, '*' | Set<string>>>
} {
  const comments: string[] = []
  const byFile = new Map<string, Map<string, '*' | Set<string>>>()
  let current: Map<string, '*' | Set<string>> | undefined
  text.split('\n').forEach((line, index) => {
    const section = /^\[(.+)\]$/.exec(line)?.[1]
    const [, name, steps] = /^(\S+): (.+)$/.exec(line) ?? []
    if (line.trim() === '') return
    if (line.startsWith('#')) comments.push(line)
    else if (section !== undefined) {
      current = new Map()
      byFile.set(section, current)
    } else if (current !== undefined && name !== undefined && steps !== undefined)
      current.set(name, steps === '*' ? '*' : new Set(steps.split(' ')))
    else
      throw new Error(
        `known differences, line ${index + 1}: expected "[file]" or "recording: steps", found ${JSON.stringify(line)}`,
      )
  })
  return { comments, byFile }
}

export interface Verdict {
  identical: number
  /** Differ and are on the list. */
  known: number
  /** Differ and are not on the list: `file recording step`. */
  unexpected: { where: string; result: StepResult }[]
  /** On the list and identical by now, or not replayed because they do not exist. */
  stale: string[]
}

/** Compares what was replayed with the list; only files that were replayed count, recordings missing from them are stale. */
export function evaluate(
  results: RecordingResult[],
  listed: ReturnType<typeof parseDifferences>['byFile'],
  complete: boolean,
): Verdict {
  const verdict: Verdict = { identical: 0, known: 0, unexpected: [], stale: [] }
  const replayed = new Set(results.map(({ file, name }) => `${file} ${name}`))
  for (const { file, name, steps } of results) {
    const expected = listed.get(file)?.get(name)
    const keys = stepKeys(steps.map((step) => step.id))
    steps.forEach((result, i) => {
      const key = keys[i] as string
      const isListed = expected === '*' || expected?.has(key) === true
      if (result.level === 'same' && isListed) verdict.stale.push(`${file} ${name} ${key}`)
      if (result.level === 'same') verdict.identical++
      else if (isListed) verdict.known++
      else verdict.unexpected.push({ where: `${file} ${name} ${key}`, result })
    })
    if (expected instanceof Set) {
      for (const key of expected)
        if (!keys.includes(key)) verdict.stale.push(`${file} ${name} ${key}`)
    }
  }
  if (complete) {
    for (const [file, recordings] of listed)
      for (const name of recordings.keys())
        if (!replayed.has(`${file} ${name}`)) verdict.stale.push(`${file} ${name}`)
  }
  return verdict
}

/**
 * The list for these results: differences that were listed already, or belong to a recording in
 * `mayGrow` (`folder/file/name`).
 */
export function formatDifferences(
  comments: string[],
  results: RecordingResult[],
  listed: ReturnType<typeof parseDifferences>['byFile'],
  mayGrow: (name: string) => boolean,
): string {
  const lines = [...comments]
  let section = ''
  for (const { file, name, steps } of [...results].sort((a, b) => compare(a.file, b.file))) {
    const expected = listed.get(file)?.get(name)
    const keys = stepKeys(steps.map((step) => step.id))
    const kept = keys.filter(
      (key, i) =>
        steps[i]?.level !== 'same' &&
        (mayGrow(`${file}/${name}`) || expected === '*' || expected?.has(key) === true),
    )
    if (kept.length === 0) continue
    if (section !== file) lines.push('', `[${file}]`)
    section = file
    lines.push(`${name}: ${kept.length === keys.length ? '*' : kept.join(' ')}`)
  }
  return `${lines.join('\n')}\n`
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
