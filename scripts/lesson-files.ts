/** The files of `src/lessons/catalog`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readYaml } from '../src/engine/schema/yaml/reader'
import type { Lesson } from '../src/lessons/lesson'
import { readLessonText } from '../src/lessons/text'

export const CATALOG = fileURLToPath(new URL('../src/lessons/catalog/', import.meta.url))

/** @returns paths in the order of `index.yaml` */
export function lessonFiles(): string[] {
  const ids = readYaml(readFileSync(`${CATALOG}index.yaml`, 'utf8')).value as string[]
  return ids.map((id) => `${CATALOG}${id}.yaml`)
}

/** @throws Error with `file:line:column: message` per line */
export function readLessonFile(file: string): Lesson {
  const { lesson, problems } = readLessonText(readFileSync(file, 'utf8'))
  if (lesson !== undefined) return lesson
  throw new Error(
    problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'),
  )
}
