import { isJsonObject, type JsonObject, type KubeObject } from '../../../engine/core/object'
import { parseManifest } from '../manifests/documents'
import { yamlText } from '../manifests/yaml'
import { CHECK_ERRORS } from './texts'

export interface SourceText {
  /** `shop/web.yaml`, `standard input`. */
  name: string
  text: string
}

export interface SourcedManifest {
  /** The file; for Helm output the template, from Helm's comment. */
  source: string
  /** 1-based. */
  line: number
  object: KubeObject
  /** The original text; printed for an item of a list. */
  text: string
}

export interface Unreadable {
  source: string
  line: number
  message: string
}

export interface ReadManifests {
  manifests: SourcedManifest[]
  unreadable: Unreadable[]
}

/** `# Source: shop/templates/web.yaml` precedes each document that Helm renders. */
const HELM_SOURCE = /^# Source: (\S+)\s*$/

/** Reports documents without a kind (values, empty templates) as unreadable. */
export function readManifests({ name, text }: SourceText): ReadManifests {
  const { documents, problems } = parseManifest(text)
  const lines = text.split('\n')
  const found: ReadManifests = {
    manifests: [],
    unreadable: problems
      .filter(({ severity }) => severity === 'error')
      .map(({ message, startLine }) => ({ source: name, line: startLine, message })),
  }
  for (const { value, line, node } of documents) {
    const source = helmSource(lines, line) ?? name
    const missing = ['apiVersion', 'kind'].filter(
      (member) => typeof value[member] !== 'string' || value[member] === '',
    )
    if (missing.length > 0)
      found.unreadable.push({
        source,
        line,
        message: CHECK_ERRORS.notObject(missing.join(' and ')),
      })
    else
      found.manifests.push({
        source,
        line,
        object: withMetadata(value),
        text: ownText(text, value, node.range),
      })
  }
  return found
}

function withMetadata(value: JsonObject): KubeObject {
  return (isJsonObject(value.metadata)
    ? value
    : { ...value, metadata: {} }) as unknown as KubeObject
}

function helmSource(lines: readonly string[], line: number): string | undefined {
  for (let at = line - 2; at >= 0; at--) {
    const text = lines[at] as string
    const [, source] = HELM_SOURCE.exec(text) ?? []
    if (source !== undefined) return source
    if (text.startsWith('---')) return undefined
  }
  return undefined
}

/** Flow mappings and items of lists have no text of their own. */
function ownText(
  text: string,
  value: JsonObject,
  range: readonly number[] | null | undefined,
): string {
  const [start = 0, , end = 0] = range ?? []
  const isBlock = (start === 0 || text[start - 1] === '\n') && text[start] !== '{'
  const own = text.slice(start, end).trimEnd()
  return isBlock ? `${own}\n` : printedObject(value)
}

export function printedObject(object: KubeObject | JsonObject): string {
  return yamlText(object)
}
