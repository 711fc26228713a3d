/** Reads manifests from files, directories and standard input, with the line of each document. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type KubeObject } from '../../engine/core/object'
import { locatedYamlDocuments } from '../../engine/schema/yaml/documents'
import { readYaml } from '../../engine/schema/yaml/reader'
import { InputError, type Terminal, UsageError } from '../command'

export interface Manifest {
  /** The path; for the output of Helm on standard input, the template. */
  file: string
  /** 1-based, of the document's first line; absent for a template, whose lines are others. */
  line?: number
  /** The document's text. */
  text: string
  object: KubeObject
  /** The index in a List; absent for an object of its own. */
  item?: number
}

export interface Unreadable {
  file: string
  line?: number
  message: string
}

export interface ReadManifests {
  manifests: Manifest[]
  unreadable: Unreadable[]
}

/** As a path, and as the name of a file in messages. */
const STANDARD_INPUT = '-'
const STDIN = 'standard input'

/** `# Source: shop/templates/web.yaml` begins each document that Helm renders. */
const HELM_SOURCE = /^# Source: (\S+)\s*$/m

/** @throws InputError for a path that cannot be read */
export function readManifests(
  paths: readonly string[],
  terminal: Pick<Terminal, 'readInput'>,
): ReadManifests {
  const found: ReadManifests = { manifests: [], unreadable: [] }
  for (const path of paths)
    if (path === STANDARD_INPUT) addDocuments(STDIN, terminal.readInput(), found)
    else for (const file of filesOf(path)) addDocuments(file, textOf(file), found)
  return found
}

/**
 * As `readManifests`, for input that a command needs in full.
 * @throws InputError for a path that cannot be read; UsageError for a document that is not an object
 */
export function readEveryManifest(
  paths: readonly string[],
  terminal: Pick<Terminal, 'readInput'>,
): Manifest[] {
  const { manifests, unreadable } = readManifests(paths, terminal)
  const [first] = unreadable
  if (first !== undefined) throw new UsageError(`${placeOf(first)}: ${first.message}`)
  return manifests
}

/** The .yaml, .yml and .json files of a directory and its subdirectories, sorted by name. */
function filesOf(path: string): string[] {
  if (!isDirectory(path)) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .filter((entry) => entry.isDirectory() || /\.(ya?ml|json)$/.test(entry.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = join(path, entry.name)
      return entry.isDirectory() ? filesOf(inside) : [inside]
    })
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    throw new InputError(`cannot read ${path}: ${(error as Error).message}`)
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`)
  }
}

/** Adds what a text has to `found`. A document without content, as of a disabled template, is none. */
function addDocuments(name: string, text: string, found: ReadManifests): void {
  let template: string | undefined
  for (const { text: document, line } of locatedYamlDocuments(text)) {
    if (name === STDIN) template = HELM_SOURCE.exec(document)?.[1] ?? template
    const place = template === undefined ? { file: name, line } : { file: template }
    let value: Json
    try {
      value = readYaml(document).value
    } catch (error) {
      found.unreadable.push(syntaxError(place, error as Error))
      continue
    }
    if (value === null) continue
    const listed = itemsOf(value)
    for (const [index, object] of (listed ?? [value]).entries()) {
      const problem = problemOf(object)
      const item = listed === undefined ? {} : { item: index }
      if (problem !== undefined) found.unreadable.push({ ...place, message: problem })
      else found.manifests.push({ ...place, ...item, text: document, object: asObject(object) })
    }
  }
}

/** The YAML reader counts lines from the document's start: `yaml: line 3: ...`. */
function syntaxError(place: { file: string; line?: number }, { message }: Error): Unreadable {
  const [, row, rest] = /^yaml: line (\d+): ([\s\S]*)$/.exec(message) ?? []
  if (row === undefined || place.line === undefined) return { ...place, message }
  return { ...place, line: place.line + Number(row) - 1, message: rest ?? message }
}

/** kubectl treats any kind that ends with List and has items as a list. */
function itemsOf(value: Json): Json[] | undefined {
  return isJsonObject(value) &&
    typeof value.kind === 'string' &&
    value.kind.endsWith('List') &&
    Array.isArray(value.items)
    ? value.items
    : undefined
}

function problemOf(value: Json): string | undefined {
  if (!isJsonObject(value)) return 'not an object: a manifest has apiVersion, kind and metadata'
  const missing = ['apiVersion', 'kind'].filter(
    (member) => typeof value[member] !== 'string' || value[member] === '',
  )
  return missing.length === 0 ? undefined : `not an API object: ${missing.join(' and ')} not set`
}

function asObject(value: Json): KubeObject {
  const object = value as unknown as KubeObject
  return isJsonObject(object.metadata as unknown as Json) ? object : { ...object, metadata: {} }
}

/** `shop/web.yaml:12` */
export function placeOf({ file, line }: { file: string; line?: number | undefined }): string {
  return line === undefined ? file : `${file}:${line}`
}

/** `Deployment shop/web` */
export function nameOf({ kind, metadata }: KubeObject): string {
  const name = metadata.name ?? (metadata.generateName ? `${metadata.generateName}…` : '(no name)')
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${name}`
}
