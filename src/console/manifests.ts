/** Objects of `-f`: open manifests, or standard input (`-f -`). */

import { append } from '../engine/core/lists'
import { isJsonObject, type Json, type JsonObject } from '../engine/core/object'
import { goJson } from '../engine/encoding/json-path-template'
import { yamlDocuments } from '../engine/schema/yaml/documents'
import { readYaml, YamlSyntaxError } from '../engine/schema/yaml/reader'
import type { Context } from './command'
import { CommandError } from './errors'
import { wholeText } from './pipe'

export interface ManifestObject {
  /** The source in messages: the file's name, or `STDIN`. */
  source: string
  object: JsonObject
}

/** @throws CommandError for a missing file */
export async function readManifests(
  context: Pick<Context, 'host' | 'input'>,
  names: readonly string[],
): Promise<ManifestObject[]> {
  const objects: ManifestObject[] = []
  for (const name of names) {
    const [source, text] =
      name === '-' ? ['STDIN', await standardInput(context)] : [name, fileText(context, name)]
    append(objects, objectsOf(source, text))
  }
  return objects
}

async function standardInput({ input }: Pick<Context, 'input'>): Promise<string> {
  if (input === undefined)
    throw new CommandError(
      'nothing is piped in: use -f with the name of an open manifest, or <<EOF',
    )
  return wholeText(input)
}

function fileText({ host }: Pick<Context, 'host'>, name: string): string {
  if (/^https?:\/\//.test(name))
    throw new CommandError(
      'manifests are not fetched from the network here: open one in the editor',
    )
  const text = host.readFile(name)
  if (text !== undefined) return text
  throw new CommandError(`the path ${JSON.stringify(name)} does not exist`)
}

/** Includes items of lists. @throws CommandError */
export function objectsOf(source: string, text: string): ManifestObject[] {
  return [...eachObject(source, text)]
}

/** One by one: an error follows the objects before it. */
function* eachObject(source: string, text: string): Generator<ManifestObject> {
  for (const document of yamlDocuments(text))
    for (const object of itemsOf(jsonOf(source, document))) yield { source, object }
}

/** An error takes the place of an object that cannot be decoded. */
export async function* eachManifest(
  context: Pick<Context, 'host' | 'input'>,
  names: readonly string[],
): AsyncGenerator<ManifestObject | CommandError> {
  for (const name of names) {
    const [source, text] =
      name === '-' ? ['STDIN', await standardInput(context)] : [name, fileText(context, name)]
    try {
      yield* eachObject(source as string, text as string)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      yield error
    }
  }
}

function jsonOf(source: string, document: string): Json {
  try {
    return readYaml(document).value
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    throw new CommandError(
      `error parsing ${source}: error converting YAML to JSON: ${error.message}`,
    )
  }
}

/** @throws CommandError for a document that is not an API object */
function itemsOf(value: Json): JsonObject[] {
  if (value === null) return []
  if (!isJsonObject(value))
    throw new CommandError(
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    )
  if (typeof value.kind === 'string' && value.kind.endsWith('List') && Array.isArray(value.items))
    return value.items.flatMap(itemsOf)
  return [value]
}

/** kubectl's error for a document that cannot be checked against a type. */
export function uncheckable({ source, object }: ManifestObject): CommandError | undefined {
  const missing = ['apiVersion', 'kind']
    .filter((member) => !object[member])
    .map((member) => `${member} not set`)
  if (missing.length === 0) return undefined
  const problems = missing.length === 1 ? missing[0] : `[${missing.join(', ')}]`
  return new CommandError(
    `error validating ${JSON.stringify(source)}: error validating data: ${problems}; if you choose to ignore these errors, turn validation off with --validate=false`,
  )
}

/** kubectl's error for a document that cannot be decoded. */
export function undecodable({ source, object }: ManifestObject): CommandError | undefined {
  const missing =
    object.kind === undefined || object.kind === ''
      ? 'Kind'
      : object.apiVersion === undefined
        ? 'apiVersion'
        : undefined
  if (missing === undefined) return undefined
  return new CommandError(
    `unable to decode ${JSON.stringify(source)}: Object '${missing}' is missing in '${goJson(object)}'`,
  )
}
