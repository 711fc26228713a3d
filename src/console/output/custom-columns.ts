/** `-o custom-columns=NAME:.metadata.name,…` */

import { isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import { JsonPathError } from '../../engine/encoding/json-path-steps'
import {
  type JsonPathTemplate,
  parseJsonPathTemplate,
} from '../../engine/encoding/json-path-template'
import { goFormat } from '../../engine/schema/go-text'
import { CommandError } from '../errors'
import { Columns } from './columns'
import type { Printer } from './printer-type'

interface Column {
  heading: string
  path: JsonPathTemplate
}

/** @throws CommandError for an invalid specification */
export function customColumns(specification: string, noHeaders: boolean): Printer {
  if (specification === '')
    throw new CommandError('custom-columns format specified but no custom columns given')
  const columns = specification.split(',').map(columnOf)
  const aligned = new Columns()
  let headed = noHeaders
  return {
    print(object) {
      const objects = Array.isArray(object.items) ? object.items.filter(isJsonObject) : [object]
      const rows = objects.map((one) => columns.map(({ path }) => cell(path, one)))
      const heading = headed ? [] : [columns.map((column) => column.heading)]
      headed = true
      return aligned.lines([...heading, ...rows])
    },
  }
}

function columnOf(part: string): Column {
  const colon = part.indexOf(':')
  if (colon < 0)
    throw new CommandError(
      `unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`,
    )
  return { heading: part.slice(0, colon), path: relaxedPath(part.slice(colon + 1)) }
}

/** Braces and leading dot are optional, as in `--sort-by` and columns. @throws CommandError */
export function relaxedPath(text: string): JsonPathTemplate {
  try {
    return parseJsonPathTemplate(relaxedText(text))
  } catch (error) {
    if (error instanceof JsonPathError) throw new CommandError(error.message)
    throw error
  }
}

/** `metadata.name`, `.metadata.name`, `{metadata.name}` -> `{.metadata.name}` */
export function relaxedText(text: string): string {
  if (text === '') return text
  const [, braced, plain] = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(text) ?? []
  const path = braced ?? plain
  if (path === undefined)
    throw new CommandError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    )
  return `{.${path}}`
}

function cell(path: JsonPathTemplate, object: JsonObject): string {
  const found = path.find(object)
  const missing = found.length === 0 || found[0]?.length === 0
  const values = found.flat().map((value: Json) => printable(goFormat(value)))
  return (missing ? ['<none>', ...values] : values).join(',')
}

/** Control characters must not control the terminal. */
export function printable(text: string): string {
  return text.replaceAll('\u001b', '^[').replaceAll('\r', '\\r')
}
