/** The whole cluster as one YAML file, out and in. */
import { LineCounter, parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../engine/object'
import { yamlText } from '../manifests/yaml'
import { checkNesting } from '../yaml-nesting'

export function toYamlFile(objects: readonly KubeObject[]): string {
  return objects.map(yamlText).join('---\n')
}

/** How often anchors may be repeated, as the `yaml` package counts it; files of this page have none. */
const MOST_ALIASES = 100

/** @throws Error naming the document that is not an object, or that nests too deep */
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
        `document ${index + 1}, line ${lines.linePos(error.pos[0]).line}: ${error.message}`,
      )
    const value = document.toJS({ maxAliasCount: MOST_ALIASES }) as Partial<KubeObject> | null
    if (value === null) continue
    if (
      typeof value.kind !== 'string' ||
      typeof value.apiVersion !== 'string' ||
      typeof value.metadata?.name !== 'string'
    ) {
      throw new Error(
        `document ${index + 1} is not a Kubernetes object: apiVersion, kind and metadata.name are required`,
      )
    }
    objects.push(value as KubeObject)
  }
  if (objects.length === 0) throw new Error('the file holds no objects')
  return objects
}
