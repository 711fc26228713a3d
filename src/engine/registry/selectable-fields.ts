/** Recorded from kube-apiserver 1.31; the rest is from k8s.io/kubernetes, pkg/registry. */
import { entryOf, isJsonObject, type Json, type KubeObject } from '../core/object'
import { goQuote } from '../schema/go-text'

export type Reader = (object: KubeObject) => string

export interface Selectable {
  fields: Record<string, Reader>
  rejection(field: string): string
}

/** As text; the type's zero value if absent. */
export const at =
  (path: string, absent = ''): Reader =>
  (object) => {
    let value = object as unknown as Json | undefined
    for (const member of path.split('.'))
      value = isJsonObject(value) ? entryOf(value, member) : undefined
    return value === undefined || value === null ? absent : String(value)
  }

/** Accepted, but always empty. */
export const nothing: Reader = () => ''

export const fieldsAt = (...paths: string[]): Record<string, Reader> =>
  Object.fromEntries(paths.map((path) => [path, at(path)]))

export const NAME: Record<string, Reader> = { 'metadata.name': at('metadata.name') }
export const NAMES: Record<string, Reader> = {
  ...NAME,
  'metadata.namespace': at('metadata.namespace'),
}

export const notSupported = (field: string): string => `field label not supported: ${field}`

export const ofCore = (fields: Record<string, Reader>): Selectable => ({
  fields: { ...NAMES, ...fields },
  rejection: notSupported,
})
export const ofCluster = (fields: Record<string, Reader>): Selectable => ({
  fields: { ...NAME, ...fields },
  rejection: notSupported,
})

export const ANY: Selectable = {
  fields: NAMES,
  rejection: (field) =>
    `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
}

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

/** The groups of events name the same stored fields differently. */
export const ofEvents = (reference: string, reporter: string): Record<string, Reader> => ({
  ...Object.fromEntries(
    REFERENCE.map((member) => [`${reference}.${member}`, at(`involvedObject.${member}`)]),
  ),
  ...fieldsAt('reason', 'type'),
  [reporter]: at('reportingComponent'),
})
