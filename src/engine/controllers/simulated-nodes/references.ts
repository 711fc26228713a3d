/**
 * What a pod refers to and cannot do without: config maps and secrets for its volumes and the environment of its containers (public
 * documentation, "Configure a Pod to Use a ConfigMap": a container does not start while one is missing that is not optional; the
 * texts are the real agent's). Projected volumes are left out: the server adds one to nearly every pod.
 */
import type { ConfigMap, Container, KeyToPath, Pod, Secret } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'

export interface Sources {
  /** @param key `namespace/name` */
  configMap(key: string): ConfigMap | undefined
  secret(key: string): Secret | undefined
}

/** @returns the event's text for the first volume that cannot be mounted */
export function mountProblem({ metadata, spec }: Stored<Pod>, { configMap, secret }: Sources): string | undefined {
  const at = (name = '') => `${metadata.namespace}/${name}`
  for (const volume of spec?.volumes ?? []) {
    const { configMap: map, secret: hidden } = volume
    const problem =
      (map && !map.optional && lacking(configMap(at(map.name)), map.items, { kind: 'configmap', of: 'config', name: map.name })) ||
      (hidden &&
        !hidden.optional &&
        lacking(secret(at(hidden.secretName)), hidden.items, { kind: 'secret', of: 'secret', name: hidden.secretName }))
    if (problem) return `MountVolume.SetUp failed for volume "${volume.name}" : ${problem}`
  }
  return undefined
}

interface Wanted {
  kind: string
  /** What its keys are called. */
  of: string
  name: string | undefined
}

function lacking(
  source: ConfigMap | Secret | undefined,
  items: KeyToPath[] | undefined,
  { kind, of, name = '' }: Wanted,
): string | undefined {
  if (source === undefined) return `${kind} "${name}" not found`
  const absent = items?.find(({ key }) => !hasKey(source, key))
  return absent && `references non-existent ${of} key: ${absent.key}`
}

/** @returns why the environment of a container cannot be made */
export function environmentProblem({ metadata }: Stored<Pod>, container: Container, { configMap, secret }: Sources): string | undefined {
  const at = (name = '') => `${metadata.namespace}/${name}`
  const notFound = (kind: string, name = '') => `${kind} "${name}" not found`
  for (const { configMapRef: map, secretRef: hidden } of container.envFrom ?? []) {
    if (map && !map.optional && configMap(at(map.name)) === undefined) return notFound('configmap', map.name)
    if (hidden && !hidden.optional && secret(at(hidden.name)) === undefined) return notFound('secret', hidden.name)
  }
  for (const { valueFrom } of container.env ?? []) {
    const { configMapKeyRef: map, secretKeyRef: hidden } = valueFrom ?? {}
    const wanted = map ?? hidden
    if (wanted === undefined || wanted.optional) continue
    const source = map ? configMap(at(map.name)) : secret(at(wanted.name))
    if (source === undefined) return notFound(map ? 'configmap' : 'secret', wanted.name)
    if (!hasKey(source, wanted.key)) return `couldn't find key ${wanted.key} in ${map ? 'ConfigMap' : 'Secret'} ${at(wanted.name)}`
  }
  return undefined
}

const hasKey = (source: ConfigMap | Secret, key: string): boolean =>
  [source.data, 'binaryData' in source ? source.binaryData : undefined].some((data) => data !== undefined && Object.hasOwn(data, key))
