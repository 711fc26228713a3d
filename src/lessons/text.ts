import { type Document, isNode, LineCounter, type Node, parseDocument, stringify } from 'yaml'
import type { Json } from '../engine/core/object'
import { readYaml, YamlSyntaxError } from '../engine/schema/yaml/reader'
import { BOUNDS } from './bounds'
import { type Incident, readIncident } from './incident'
import type { Lesson } from './lesson'
import { readLesson } from './read'
import { LessonError, type LessonProblem } from './reading'

export interface TextualProblem {
  message: string
  /** In UTF-16 units of the text. */
  start: number
  end: number
  /** 1-based. */
  line: number
  column: number
}

export interface ReadText<Content> {
  /** undefined if there are problems. */
  content: Content | undefined
  problems: TextualProblem[]
}

export interface ReadLessonText {
  /** undefined if there are problems. */
  lesson: Lesson | undefined
  problems: TextualProblem[]
}

/** Never throws, and takes no longer than the bounds allow. */
export function readLessonText(text: string): ReadLessonText {
  const { content, problems } = readText(text, readLesson)
  return { lesson: content, problems }
}

/** Never throws, and takes no longer than the bounds allow. */
export const readIncidentText = (text: string): ReadText<Incident> => readText(text, readIncident)

function readText<Content>(text: string, read: (value: Json) => Content): ReadText<Content> {
  const lines = new LineCounter()
  const at = (message: string, start: number, end: number): TextualProblem => {
    const { line, col } = lines.lineStarts.length === 0 ? { line: 1, col: 1 } : lines.linePos(start)
    return { message, start, end: Math.max(end, start + 1), line, column: col }
  }
  const failed = (...problems: TextualProblem[]): ReadText<Content> => ({
    content: undefined,
    problems,
  })
  if (text.length > BOUNDS.text)
    return failed(at(`a lesson of more than ${BOUNDS.text} characters is not read`, 0, 1))
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    if (document.errors.length > 0)
      return failed(...document.errors.map(({ message, pos }) => at(message, pos[0], pos[1])))
    return checked(document, text, at, read)
  } catch (error) {
    if (error instanceof YamlSyntaxError) return failed(at(error.message, 0, 1))
    // Recursive YAML parsers overflow the stack on deep nesting.
    if (error instanceof RangeError)
      return failed(at(`nested deeper than ${BOUNDS.depth} levels`, 0, 1))
    throw error
  }
}

function checked<Content>(
  document: Document.Parsed,
  text: string,
  at: (message: string, start: number, end: number) => TextualProblem,
  read: (value: Json) => Content,
): ReadText<Content> {
  try {
    return { content: read(readYaml(text).value), problems: [] }
  } catch (error) {
    if (!(error instanceof LessonError)) throw error
    return {
      content: undefined,
      problems: error.problems.map((problem) =>
        at(messageOf(problem), ...placeOf(document, problem.place, text)),
      ),
    }
  }
}

export function lessonText(lesson: Lesson): string {
  return stringify(lesson, { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: 'literal' })
}

function messageOf({ place, message }: LessonProblem): string {
  return place === '' ? message : `${place}: ${message}`
}

/** Up to the end of its first line. */
function placeOf(
  document: Document.Parsed,
  place: string,
  text: string,
): [start: number, end: number] {
  const path = [...place.matchAll(/[^.[\]]+/g)].map(([part]) =>
    /^\d+$/.test(part) ? Number(part) : part,
  )
  for (let length = path.length; length > 0; length--) {
    const found = document.getIn(path.slice(0, length), true)
    const range = isNode(found) ? (found as Node).range : undefined
    if (!range) continue
    const lineEnd = text.indexOf('\n', range[0])
    return [range[0], Math.min(range[1], lineEnd === -1 ? text.length : lineEnd)]
  }
  return [0, 1]
}
