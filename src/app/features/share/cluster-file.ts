import { LineCounter, parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../../engine/core/object'
import { parseRelease, type Release } from '../../../engine/releases/release'
import { yamlText } from '../manifests/yaml'
import { checkNesting } from '../manifests/yaml-nesting'
import { ACTIONS } from './texts'

const HEAD = '# A cluster of Kubernetes '

export function toYamlFile(objects: readonly KubeObject[], release?: Release): string {
  const head = release === undefined ? '' : `${HEAD}${release}\n`
  return head + objects.map(yamlText).join('---\n')
}

/** undefined for files without that line. */
export function releaseOfFile(text: string): Release | undefined {
  const [line = ''] = text.split('\n', 1)
  return line.startsWith(HEAD) ? parseRelease(line.slice(HEAD.length).trim()) : undefined
}

/** The alias limit of the `yaml` package; files of this page have none. */
const MOST_ALIASES = 100

/** @throws Error naming the document that is not an object, or nests too deep */
export function fromYamlFile(text: string): KubeObject[] {
  checkNesting(text)
  const objects: KubeObject[] = []
  // Locating each of a million errors would take minutes.
  const lines = new LineCounter()
  for (const [index, document] of parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
  }).entries()) {
    if (!('errors' in document)) continue
    const [error] = document.errors
    if (error)
      throw new Error(
        ACTIONS.syntaxError(index + 1, lines.linePos(error.pos[0]).line, error.message),
      )
    const value = document.toJS({ maxAliasCount: MOST_ALIASES }) as Partial<KubeObject> | null
    if (value === null) continue
    if (
      typeof value.kind !== 'string' ||
      typeof value.apiVersion !== 'string' ||
      typeof value.metadata?.name !== 'string'
    ) {
      throw new Error(ACTIONS.notObject(index + 1))
    }
    objects.push(value as KubeObject)
  }
  if (objects.length === 0) throw new Error(ACTIONS.noObjects)
  return objects
}
