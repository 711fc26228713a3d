/**
 * Compiles descriptions of types, fields and parameters into src/engine/generated/descriptions.ts,
 * from:
 * - comments of the package kubernetes-types (Apache-2.0), of release 1.30
 * - changes of release 1.31 (facts/descriptions.json)
 * - recorded OpenAPI documents
 *
 *     npx tsx scripts/compile-descriptions.ts
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

type Texts = Map<string, string>

const root = fileURLToPath(new URL('..', import.meta.url))
const packageFolder = join(root, 'node_modules/kubernetes-types')
const target = join(root, 'src/engine/generated/descriptions.ts')

/** The OpenAPI package without `io.k8s.`. */
function packageOf(file: string): string {
  const [folder = '', version = ''] = relative(packageFolder, file).replace('.d.ts', '').split('/')
  if (folder === 'meta') return `apimachinery.pkg.apis.meta.${version}`
  if (folder === 'apiextensions') return `apiextensions-apiserver.pkg.apis.apiextensions.${version}`
  if (folder === 'api') return 'apimachinery.pkg.api.resource'
  if (folder === 'runtime') return 'apimachinery.pkg.runtime'
  return folder === 'version' ? 'apimachinery.pkg.version' : `api.${folder}.${version}`
}

function commentText(comment: string): string {
  return comment
    .replace(/^\s*\/\*\*\s?|\s*\*\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
}

const COMMENT = String.raw`(?:(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s*)?`
const DECLARATION = new RegExp(
  String.raw`${COMMENT}export (?:interface|type) (\w+)(?:\s*\{\n([\s\S]*?)\n\}| = )`,
  'g',
)
const MEMBER = new RegExp(String.raw`${COMMENT}^ {4}(?:readonly )?['"]?([\w$-]+)['"]?\??:`, 'gm')

function readPackage(file: string, texts: Texts): void {
  for (const [, comment, name, members] of readFileSync(file, 'utf8').matchAll(DECLARATION)) {
    const type = `${packageOf(file)}.${name}`
    if (comment) texts.set(type, commentText(comment))
    for (const [, memberComment, member] of (members ?? '').matchAll(MEMBER)) {
      if (memberComment) texts.set(`${type}:${member}`, commentText(memberComment))
    }
  }
}

interface Described {
  description?: string
  properties?: Record<string, Described>
}
interface Document {
  openapi?: string
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, Described> }
}

function* recordedDocuments(folder: string): Generator<Document> {
  for (const name of readdirSync(folder).filter((file) => /^(crd|wire)-.*\.gz$/.test(file))) {
    const scenarios = JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString()) as {
      /** Absent in scenarios that can no longer be recorded. */
      steps?: { response: { text?: string } }[]
    }[]
    for (const { response } of scenarios.flatMap(({ steps = [] }) => steps)) {
      if (response.text?.startsWith('{"openapi":"3')) yield JSON.parse(response.text) as Document
    }
  }
}

function readDocument({ paths, components }: Document, texts: Texts, parameters: Texts): void {
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (!name.startsWith('io.k8s.')) continue
    const type = name.slice('io.k8s.'.length)
    if (schema.description) texts.set(type, schema.description)
    for (const [field, { description }] of Object.entries(schema.properties ?? {}))
      if (description) texts.set(`${type}:${field}`, description)
  }
  const found = JSON.stringify(paths).matchAll(
    /\{"name":"(\w+)","in":"(?:query|path)","description":("(?:\\.|[^"\\])*")/g,
  )
  for (const [, name = '', quoted = '""'] of found) {
    const description = JSON.parse(quoted) as string
    // `fieldManager` of patches has one more sentence than of other writes.
    const shorter = description.length < (parameters.get(name)?.length ?? Number.POSITIVE_INFINITY)
    if (name !== 'name' && shorter) parameters.set(name, description)
  }
}

const texts: Texts = new Map()
const parameters: Texts = new Map()
for (const entry of readdirSync(packageFolder, { recursive: true, encoding: 'utf8' })) {
  if (entry.endsWith('.d.ts')) readPackage(join(packageFolder, entry), texts)
}
const newer = JSON.parse(readFileSync(join(root, 'facts/descriptions.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>
for (const [type, fields] of Object.entries(newer)) {
  for (const [field, text] of Object.entries(fields))
    texts.set(field === '' ? type : `${type}:${field}`, text)
}
const recordings = join(root, 'tests/conformance/recordings')
for (const document of recordedDocuments(recordings)) readDocument(document, texts, parameters)

const pool = [...new Set(texts.values())].sort()
const indexes = new Map(pool.map((text, i) => [text, i]))
const facts: Record<string, Record<string, number>> = {}
for (const [key, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [type = '', field = ''] = key.split(':')
  facts[type] ??= {}
  ;(facts[type] as Record<string, number>)[field] = indexes.get(text) as number
}

/** Descriptions that differ from the previous release's. */
const later: Record<
  string,
  { types: Record<string, Record<string, string>>; parameters: Record<string, string> }
> = {}
const known = { texts: new Map(texts), parameters: new Map(parameters) }
for (const release of releaseFolders()) {
  const found = { texts: new Map() as Texts, parameters: new Map() as Texts }
  for (const document of recordedDocuments(`${recordings}-releases/${release}`))
    readDocument(document, found.texts, found.parameters)
  const changed = { types: {} as Record<string, Record<string, string>>, parameters: {} }
  for (const [key, text] of changesIn(found.texts, known.texts)) {
    const [type = '', field = ''] = key.split(':')
    changed.types[type] = { ...changed.types[type], [field]: text }
  }
  changed.parameters = Object.fromEntries(changesIn(found.parameters, known.parameters))
  later[release] = changed
}

function releaseFolders(): string[] {
  return readdirSync(`${recordings}-releases`)
    .filter((name) => /^\d+\.\d+$/.test(name))
    .sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]))
}

/** The changed entries of `found`. */
function changesIn(found: Texts, before: Texts): [string, string][] {
  const changed = [...found]
    .filter(([key, text]) => before.get(key) !== text)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [key, text] of changed) before.set(key, text)
  return changed
}

const literal = (value: unknown) =>
  `JSON.parse('${JSON.stringify(value).replace(/[\\']/g, '\\$&')}')`
writeFileSync(
  target,
  `/**
 * What types, fields and parameters are for. Generated by scripts/compile-descriptions.ts from the comments of the package
 * kubernetes-types (Apache-2.0), facts/descriptions.json and recorded OpenAPI documents: do not edit.
 */

/** Every text once. */
export const TEXTS: string[] = ${literal(pool)}

/** Indexes of the texts by type (without \`io.k8s.\`) and field; the type's own under ''. */
export const DESCRIPTIONS: Record<string, Record<string, number>> = ${literal(facts)}

/** Of query and path parameters. */
export const PARAMETERS: Record<string, string> = ${literal(Object.fromEntries([...parameters].sort()))}

/** Descriptions that a later release changed or added, oldest release first. */
export const LATER: Record<
  string,
  { types: Record<string, Record<string, string>>; parameters: Record<string, string> }
> = ${literal(later)}
`,
)
console.log(`${texts.size} descriptions, ${pool.length} texts, ${parameters.size} parameters`)
