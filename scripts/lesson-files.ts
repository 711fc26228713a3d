/** The files of the catalogs of lessons and incidents. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readYaml } from '../src/engine/schema/yaml/reader'
import type { Incident } from '../src/lessons/incident'
import type { Lesson } from '../src/lessons/lesson'
import { readIncidentText, readLessonText, type TextualProblem } from '../src/lessons/text'

export const CATALOG = fileURLToPath(new URL('../src/lessons/catalog/', import.meta.url))
export const INCIDENT_CATALOG = fileURLToPath(new URL('../src/lessons/incidents/', import.meta.url))

interface Chapter {
  chapter: string
  /** Ids. */
  lessons: string[]
}

/** In the order of `index.yaml`. */
export const lessonChapters = (): Chapter[] =>
  readYaml(readFileSync(`${CATALOG}index.yaml`, 'utf8')).value as unknown as Chapter[]

/** @returns paths in the order of `index.yaml` */
export const lessonFiles = (): string[] =>
  lessonChapters().flatMap(({ lessons }) => lessons.map((id) => `${CATALOG}${id}.yaml`))

/** @returns paths in the order of `index.yaml` */
export function incidentFiles(): string[] {
  const ids = readYaml(readFileSync(`${INCIDENT_CATALOG}index.yaml`, 'utf8')).value as string[]
  return ids.map((id) => `${INCIDENT_CATALOG}${id}.yaml`)
}

/** @throws Error with `file:line:column: message` per line */
export function readLessonFile(file: string): Lesson {
  const { lesson, problems } = readLessonText(readFileSync(file, 'utf8'))
  return found(file, lesson, problems)
}

/** @throws Error with `file:line:column: message` per line */
export function readIncidentFile(file: string): Incident {
  const { content, problems } = readIncidentText(readFileSync(file, 'utf8'))
  return found(file, content, problems)
}

function found<Content>(
  file: string,
  content: Content | undefined,
  problems: readonly TextualProblem[],
): Content {
  if (content !== undefined) return content
  throw new Error(
    problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'),
  )
}
