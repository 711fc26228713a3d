import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { toYaml } from '../../engine/encoding/yaml'
import { readYaml, YamlSyntaxError } from '../../engine/schema/yaml/reader'

export interface Reason {
  head: string
  /** One line each, below the message. */
  causes: readonly string[]
}

const HEAD = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`

/** @param objects several become a List in one text */
export function textToEdit(objects: readonly JsonObject[]): string {
  const [only, ...others] = objects
  const whole =
    only !== undefined && others.length === 0
      ? only
      : { apiVersion: 'v1', items: [...objects], kind: 'List', metadata: {} }
  return HEAD + toYaml(whole)
}

/** Replaces the reasons of an earlier attempt. */
export function textToMend(edited: string, reasons: readonly Reason[]): string {
  const comments = reasons.map(({ head, causes }) =>
    [
      `# ${commented(head)}${causes.length > 0 ? ':' : ''}`,
      ...causes.map((cause) => `# * ${commented(cause)}`),
      '#',
      '',
    ].join('\n'),
  )
  return HEAD + comments.join('') + edited.replace(/^(?:#.*(?:\n|$))+/, '')
}

const commented = (text: string): string => text.replaceAll('\n', '\n# ')

/** Whether there is anything but comments. */
export const hasLines = (text: string): boolean =>
  text.split('\n').some((line) => !/^\s*(?:#|$)/.test(line))

export const isUnchanged = (one: string, other: string): boolean => meaning(one) === meaning(other)

/** The decoded value; a file that cannot be decoded is compared as text. */
function meaning(text: string): string {
  return yamlProblem(text) === undefined
    ? JSON.stringify(readYaml(text).value)
    : withoutComments(text)
}

const withoutComments = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')

/** undefined if the text can be decoded. Line numbers skip comments, as in kubectl. */
export function problemOf(text: string): string | undefined {
  const problem = yamlProblem(text)
  if (problem !== undefined) return yamlProblem(withoutComments(text)) ?? problem
  const { value } = readYaml(text)
  const missing = isJsonObject(value)
    ? ['apiVersion', 'kind'].filter((name) => value[name] === undefined)
    : []
  const words = missing.map((name) => `${name} not set`)
  return words.length > 1 ? `[${words.join(', ')}]` : words[0]
}

function yamlProblem(text: string): string | undefined {
  try {
    readYaml(text)
    return undefined
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    return error.message
  }
}
