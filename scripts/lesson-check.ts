/**
 * Checks lessons as their authors hand them in: `npm run lesson-check FILE…` (YAML or JSON; without a file: those of the project).
 * Each has to begin undone, to be finished by its solution step by step, and not to be finished by its wrong one.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { LESSONS } from '../src/lessons/catalog'
import type { Lesson } from '../src/lessons/lesson'
import { readLesson } from '../src/lessons/read'
import { problemsOf } from './classroom'

const files = process.argv.slice(2)
const lessons: [name: string, read: () => Lesson][] =
  files.length === 0
    ? LESSONS.map((lesson) => [lesson.id, () => lesson])
    : files.map((file) => [file, () => readLesson(parse(readFileSync(file, 'utf8')))])

for (const [name, read] of lessons) {
  let problems: string[]
  try {
    problems = await problemsOf(read())
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)]
  }
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name}`)
  for (const problem of problems) console.log(problem.replace(/^/gm, '        '))
  if (problems.length > 0) process.exitCode = 1
}
