/** `-o`: YAML, JSON, names, paths or custom columns. */

import { isJsonObject, type Json, type JsonObject, parseApiVersion } from '../../engine/core/object'
import { JsonPathError } from '../../engine/encoding/json-path-steps'
import {
  goJson,
  type JsonPathTemplate,
  parseJsonPathTemplate,
} from '../../engine/encoding/json-path-template'
import { toYaml } from '../../engine/encoding/yaml'
import { goValue } from '../../engine/schema/go-text'
import type { Flag, FlagValues } from '../command'
import { CommandError } from '../errors'
import { customColumns } from './custom-columns'
import type { Printer } from './printer-type'

const NO_TEMPLATES =
  'Go templates are not implemented; use -o jsonpath= or -o custom-columns= instead'

export const OUTPUT_FLAGS: readonly Flag[] = [
  {
    name: 'output',
    short: 'o',
    type: 'text',
    values: ['json', 'yaml', 'name', 'jsonpath=', 'jsonpath-as-json='],
    about: 'Output format. One of: (json, yaml, name, jsonpath, jsonpath-as-json).',
  },
  {
    name: 'show-managed-fields',
    type: 'on',
    about: 'If true, keep the managedFields when printing objects in JSON or YAML format.',
  },
  { name: 'template', type: 'text', unavailable: NO_TEMPLATES },
  {
    name: 'allow-missing-template-keys',
    type: 'on',
    default: 'true',
    about:
      'If true, ignore any errors in templates when a field is missing in the template. Only applies to jsonpath output formats.',
  },
]

/** Formats of commands that act on objects. */
const OBJECT_FORMATS = [
  'go-template',
  'go-template-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'name',
  'template',
  'templatefile',
  'yaml',
]
/** Formats of `get`. */
export const ALL_FORMATS = [
  'custom-columns',
  'custom-columns-file',
  ...OBJECT_FORMATS.slice(0, 9),
  'wide',
  'yaml',
]

/**
 * @param formats of the command, for the message
 * @throws CommandError for an unknown format
 */
export function printerOf(flags: FlagValues, formats: readonly string[] = OBJECT_FORMATS): Printer {
  const output = flags.text('output')
  const [, format = output, argument] = /^([a-z-]+)=(.*)$/s.exec(output) ?? []
  const strict = !flags.on('allow-missing-template-keys')
  const managed = flags.on('show-managed-fields')
  const templated = argument !== undefined
  rejectTemplates(flags)
  if (format === 'jsonpath-file' || format === 'custom-columns-file')
    throw new CommandError(`-o ${format} is not available: files are not available here`)
  // Only these formats ignore case.
  const plain = output.toLowerCase()
  if (plain === 'yaml') return yamlPrinter(managed)
  if (plain === 'json')
    return { print: (object) => `${goJson(managed ? object : withoutManagedFields(object), 4)}\n` }
  if (plain === 'name') return { print: names }
  if (format === 'jsonpath' || format === 'jsonpath-as-json') {
    if (!templated || argument === '')
      throw new CommandError('template format specified but no template given')
    return jsonPathPrinter(argument, strict, format === 'jsonpath-as-json')
  }
  if (format === 'custom-columns' && formats.includes(format))
    return customColumns(argument ?? '', noHeaders(flags, formats))
  throw new CommandError(
    `unable to match a printer suitable for the output format ${JSON.stringify(output)}, allowed formats are: ${[...formats].sort().join(',')}`,
  )
}

/** @throws CommandError for Go templates, before any request */
export function rejectTemplates(flags: FlagValues): void {
  if (/^(go-)?template(-?file)?(=|$)/.test(flags.text('output')))
    throw new CommandError(NO_TEMPLATES)
}

const noHeaders = (flags: FlagValues, formats: readonly string[]): boolean =>
  formats.includes('wide') && flags.on('no-headers')

function yamlPrinter(managed: boolean): Printer {
  let printed = 0
  return {
    print(object) {
      const before = printed++ === 0 ? '' : '---\n'
      return before + toYaml(managed ? object : withoutManagedFields(object))
    },
  }
}

/** Includes items of a list. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata, items } = object
  const bare =
    isJsonObject(metadata) && 'managedFields' in metadata
      ? { ...object, metadata: { ...metadata, managedFields: undefined } }
      : object
  const cleaned = bare === object ? object : (JSON.parse(JSON.stringify(bare)) as JsonObject)
  return Array.isArray(items)
    ? {
        ...cleaned,
        items: items.map((item) => (isJsonObject(item) ? withoutManagedFields(item) : item)),
      }
    : cleaned
}

/** `pod/web`, `deployment.apps/web`; for a list, those of its items. */
function names(object: JsonObject): string {
  if (Array.isArray(object.items)) return object.items.filter(isJsonObject).map(names).join('')
  return `${nameOf(object)}\n`
}

/** `deployment.apps/web`, from the object's apiVersion, kind and name. */
export function nameOf(object: JsonObject): string {
  const { group } = parseApiVersion(String(object.apiVersion ?? ''))
  const kind = String(object.kind ?? '<unknown>').toLowerCase()
  const name =
    isJsonObject(object.metadata) && object.metadata.name
      ? String(object.metadata.name)
      : '<unknown>'
  return `${group === '' ? kind : `${kind}.${group}`}/${name}`
}

function jsonPathPrinter(template: string, strict: boolean, asJson: boolean): Printer {
  const path = readTemplate(template, strict)
  return {
    print(object) {
      try {
        if (!asJson) return path.print(object)
        return path
          .find(object)
          .map((found) => `${goJson(found, 4)}\n`)
          .join('')
      } catch (error) {
        if (!(error instanceof JsonPathError)) throw error
        throw new CommandError(
          `error executing jsonpath ${JSON.stringify(template)}: ${explained(error.message, template, object)}\n`,
        )
      }
    },
  }
}

/** @throws CommandError */
function readTemplate(template: string, strict: boolean): JsonPathTemplate {
  try {
    return parseJsonPathTemplate(template, { strict })
  } catch (error) {
    if (error instanceof JsonPathError)
      throw new CommandError(`error parsing jsonpath ${template}, ${error.message}`)
    throw error
  }
}

function explained(problem: string, template: string, object: Json): string {
  return `Error executing template: ${problem}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${template}\n\tobject given to jsonpath engine was:\n\t\t${goValue(object)}\n\n`
}
