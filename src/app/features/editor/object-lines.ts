import { ANNOTATION } from '../../../engine/core/names'
import type { KubeObject, ManagedFieldsEntry } from '../../../engine/core/object'
import { yamlText } from '../manifests/yaml'

export type Fold = 'managedFields' | 'lastApplied'

export interface Line {
  text: string
  /** The line starts a foldable block; `summary` replaces the folded lines. */
  fold?: { what: Fold; summary: string | undefined }
}

const TOKEN = 'folded-here'
const FOLDING: { what: Fold; begins: string }[] = [
  { what: 'managedFields', begins: '  managedFields:' },
  { what: 'lastApplied', begins: `    ${ANNOTATION.lastApplied}:` },
]

export const objectText = (object: KubeObject): string => yamlText(object)

export function objectLines(object: KubeObject, unfolded: ReadonlySet<Fold>): Line[] {
  const text = objectText(folded(object, unfolded)).replace(/\n$/, '')
  const metadataEnds = text.indexOf('\nspec:')
  let offset = 0
  return text.split('\n').map((line) => {
    const inMetadata = metadataEnds < 0 || offset <= metadataEnds
    offset += line.length + 1
    const found = inMetadata ? FOLDING.find(({ begins }) => line.startsWith(begins)) : undefined
    if (found === undefined) return { text: line }
    const summary = unfolded.has(found.what) ? undefined : summaryOf(object, found.what)
    return { text: line.replace(` ${TOKEN}`, ''), fold: { what: found.what, summary } }
  })
}

function folded(object: KubeObject, unfolded: ReadonlySet<Fold>): KubeObject {
  const { managedFields, annotations, ...rest } = object.metadata
  const metadata: Record<string, unknown> = { ...rest }
  if (annotations) {
    const folding =
      annotations[ANNOTATION.lastApplied] !== undefined && !unfolded.has('lastApplied')
    metadata.annotations = folding
      ? { ...annotations, [ANNOTATION.lastApplied]: TOKEN }
      : annotations
  }
  if (managedFields) metadata.managedFields = unfolded.has('managedFields') ? managedFields : TOKEN
  return { ...object, metadata: metadata as KubeObject['metadata'] }
}

function summaryOf({ metadata }: KubeObject, what: Fold): string {
  if (what === 'lastApplied')
    return `${(metadata.annotations?.[ANNOTATION.lastApplied] ?? '').length} characters`
  const managers = [
    ...new Set(
      (metadata.managedFields ?? []).map(({ manager = '' }: ManagedFieldsEntry) => manager),
    ),
  ]
  return managers.join(', ')
}

export function asManifest(object: KubeObject): string {
  const { status: _status, ...rest } = object
  const {
    managedFields: _fields,
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    generation: _generation,
    ...metadata
  } = object.metadata
  const { [ANNOTATION.lastApplied]: _applied, ...annotations } = metadata.annotations ?? {}
  const { annotations: _annotations, ...others } = metadata
  return objectText({
    ...rest,
    metadata: { ...others, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
  })
}
