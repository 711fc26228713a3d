/**
 * Checks lessons: `npm run lesson-check -- [--release=1.35] FILE…` (YAML or JSON; without a file, the
 * lessons of the project). docs/lessons.md is the guide for authors. Each lesson must meet three conditions:
 * - No step is complete at the start.
 * - The solution completes the lesson step by step.
 * - The wrong solution does not complete it.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { DEFAULT_RELEASE, parseRelease } from '../src/engine/releases/release'
import { problemsOf } from '../src/hosts/shared/lesson-rehearsal'
import { LESSONS } from '../src/lessons/catalog'
import type { Lesson } from '../src/lessons/lesson'
import { readLessonText } from '../src/lessons/text'

const { values, positionals } = parseArgs({
  options: { release: { type: 'string', default: DEFAULT_RELEASE } },
  allowPositionals: true,
})
const release = parseRelease(values.release)
if (release === undefined) throw new Error(`unknown release ${values.release}`)

async function played(lesson: Lesson): Promise<string[]> {
  try {
    return await problemsOf(lesson, setImmediate, release)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

async function problemsOfFile(file: string): Promise<string[]> {
  const { lesson, problems } = readLessonText(readFileSync(file, 'utf8'))
  return lesson === undefined
    ? problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)
    : played(lesson)
}

const files = positionals
const checks: [name: string, problems: () => Promise<string[]>][] =
  files.length === 0
    ? LESSONS.map((lesson) => [lesson.id, () => played(lesson)])
    : files.map((file) => [file, () => problemsOfFile(file)])

for (const [name, find] of checks) {
  const problems = await find()
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name}`)
  for (const problem of problems) console.log(problem.replace(/^/gm, '        '))
  if (problems.length > 0) process.exitCode = 1
}
