/** The files of the catalogs of lessons and incidents. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readYaml } from '../src/engine/schema/yaml/reader'
import type { Incident } from '../src/lessons/incident'
import type { Lesson } from '../src/lessons/lesson'
import { readIncidentText, readLessonText, type TextualProblem } from '../src/lessons/text'

export const CATALOG = fileURLToPath(new URL('../src/lessons/catalog/', import.meta.url))
export const INCIDENT_CATALOG = fileURLToPath(new URL('../src/lessons/incidents/', import.meta.url))

/** @returns paths in the order of `index.yaml` */
export const lessonFiles = (): string[] => filesOf(CATALOG)

/** @returns paths in the order of `index.yaml` */
export const incidentFiles = (): string[] => filesOf(INCIDENT_CATALOG)

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

function filesOf(catalog: string): string[] {
  const ids = readYaml(readFileSync(`${catalog}index.yaml`, 'utf8')).value as string[]
  return ids.map((id) => `${catalog}${id}.yaml`)
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
