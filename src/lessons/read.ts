/** A lesson that came from outside, as a teacher wrote it: checked member by member, so that every mistake is named at its place. */
import { isJsonObject, type Json, type JsonObject } from '../engine/object'
import type { Lesson } from './lesson'

/** The lesson is none; the message lists what is wrong. */
export class LessonError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

const KINDS = ['object', 'absent', 'request', 'event']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const LANGUAGES = ['yaml', 'typescript']
const TEXTS = ['id', 'title', 'about', 'rules', 'story', 'after']

function isFileList(value: Json): boolean {
  const isFile = (file: Json) =>
    isJsonObject(file) && typeof file.title === 'string' && typeof file.text === 'string' && LANGUAGES.includes(String(file.language))
  return Array.isArray(value) && value.every(isFile)
}

/** @throws LessonError naming every place that is not what it should be */
export function readLesson(value: Json): Lesson {
  const problems: string[] = []
  const text = (object: JsonObject, name: string, at: string) => {
    if (typeof object[name] !== 'string' || object[name] === '') problems.push(`${at}${name}: a text is missing`)
  }
  const each = (list: Json | undefined, at: string, read: (item: JsonObject, at: string) => void) => {
    if (!Array.isArray(list) || list.length === 0) problems.push(`${at}: a list with at least one entry is missing`)
    else
      for (const [i, item] of list.entries())
        isJsonObject(item) ? read(item, `${at}[${i}].`) : problems.push(`${at}[${i}]: this is no object`)
  }
  const move = (item: JsonObject, at: string) => {
    if (!METHODS.includes(String(item.method))) problems.push(`${at}method: one of ${METHODS.join(', ')}`)
    text(item, 'path', at)
  }
  const check = (item: JsonObject, at: string) => {
    text(item, 'says', at)
    if (!KINDS.includes(String(item.kind))) problems.push(`${at}kind: one of ${KINDS.join(', ')}`)
    if (item.kind === 'object' || item.kind === 'absent') text(item, 'path', at)
    if (item.kind !== 'absent' && !isJsonObject(item.is)) problems.push(`${at}is: what it has to be like is missing`)
  }
  if (!isJsonObject(value)) throw new LessonError(['a lesson is a mapping with id, title, story, start and steps'])
  for (const name of TEXTS) text(value, name, '')
  if (typeof value.id === 'string' && !/^[a-z][a-z0-9-]{2,30}$/.test(value.id))
    problems.push('id: small letters, digits and hyphens, 3 to 31 of them')
  if (typeof value.minutes !== 'number' || value.minutes < 1 || value.minutes > 10) problems.push('minutes: 1 to 10')
  if (!isJsonObject(value.start)) problems.push('start: the objects (YAML) and files at the beginning are missing')
  else {
    if (typeof value.start.objects !== 'string') problems.push('start.objects: a text of YAML, perhaps an empty one')
    if (value.start.files !== undefined && !isFileList(value.start.files))
      problems.push('start.files: a list of files, each with title, text and language (yaml or typescript)')
  }
  each(value.steps, 'steps', (step, at) => {
    text(step, 'title', at)
    text(step, 'text', at)
    if (!Array.isArray(step.hints) || step.hints.length !== 3 || step.hints.some((hint) => typeof hint !== 'string'))
      problems.push(`${at}hints: three texts, from a nudge to the answer`)
    each(step.checks, `${at}checks`, check)
    each(step.solution, `${at}solution`, move)
  })
  each(value.wrong, 'wrong', move)
  if (problems.length > 0) throw new LessonError(problems)
  const { start } = value as { start: JsonObject }
  return { ...(value as unknown as Lesson), start: { objects: String(start.objects), files: (start.files ?? []) as never } }
}
