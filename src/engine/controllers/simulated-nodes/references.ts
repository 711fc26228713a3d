/**
 * Messages of the kubelet.
 * https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/
 */
import type { ConfigMap, Container, KeyToPath, Pod, Secret } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import { environmentOf, expanded } from '../../simulation/environment'
import type { Seen } from '../../simulation/pod'
import type { Stored } from '../runtime/stored'
import { podInMessages } from './kubelet-events'

export interface Sources {
  /** @param key `namespace/name` */
  configMap(key: string): ConfigMap | undefined
  secret(key: string): Secret | undefined
}

/** @returns event message of the first failing volume */
export function mountProblem(
  { metadata, spec }: Stored<Pod>,
  { configMap, secret }: Sources,
): string | undefined {
  const at = (name = '') => `${metadata.namespace}/${name}`
  const ofMap = (map: Source | undefined) =>
    map && !map.optional
      ? lacking(configMap(at(map.name)), map.items, {
          kind: 'configmap',
          of: 'config',
          name: map.name,
        })
      : undefined
  const ofSecret = (hidden: Source | undefined) =>
    hidden && !hidden.optional
      ? lacking(secret(at(hidden.name)), hidden.items, {
          kind: 'secret',
          of: 'secret',
          name: hidden.name,
        })
      : undefined
  for (const { name, configMap: map, secret: hidden, projected } of spec?.volumes ?? []) {
    const sources = name.startsWith(OWN_VOLUME) ? [] : (projected?.sources ?? [])
    const problems = [
      ofMap(map),
      ofSecret(hidden && { ...hidden, name: hidden.secretName }),
      ...sources.map((source) => ofMap(source.configMap) ?? ofSecret(source.secret)),
    ].filter((problem) => problem !== undefined)
    const [first] = problems
    if (first !== undefined)
      return `MountVolume.SetUp failed for volume "${name}" : ${problems.length === 1 ? first : `[${problems.join(', ')}]`}`
  }
  return undefined
}

/**
 * Prefix of the volume that ServiceAccount admission adds. Its sources are not checked, because the
 * controllers create them.
 */
export const OWN_VOLUME = 'kube-api-access-'

/** Whether a volume of the pod has a ConfigMap or a Secret of this name. */
export const mountsSource = ({ spec }: Stored<Pod>, wanted: string): boolean =>
  (spec?.volumes ?? []).some(
    ({ name, configMap, secret, projected }) =>
      !name.startsWith(OWN_VOLUME) &&
      [
        configMap?.name,
        secret?.secretName,
        ...(projected?.sources ?? []).flatMap((source) => [
          source.configMap?.name,
          source.secret?.name,
        ]),
      ].includes(wanted),
  )

interface Source {
  name?: string
  optional?: boolean
  items?: KeyToPath[]
}

interface Wanted {
  kind: string
  /** Noun for keys in messages. */
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

/** Checks are in the kubelet's order. */
export function containerProblem(
  pod: Stored<Pod>,
  container: Container,
  sources: Sources,
  seen: Seen,
): string | undefined {
  return (
    environmentProblem(pod, container, sources) ??
    mountedPathProblem(pod, container, seen) ??
    userProblem(pod, container)
  )
}

/**
 * An expanded path may be incomplete, absolute, or leave the volume:
 * https://kubernetes.io/docs/concepts/storage/volumes/#using-subpath-expanded-environment
 */
function mountedPathProblem(
  pod: Stored<Pod>,
  container: Container,
  seen: Seen,
): string | undefined {
  const mounts = container.volumeMounts ?? []
  if (!mounts.some(({ subPath, subPathExpr }) => subPath || subPathExpr)) return undefined
  const environment = environmentOf(pod, container, seen)
  for (const { subPath = '', subPathExpr } of mounts) {
    const missing = new Set<string>()
    const path = subPathExpr
      ? expanded(subPathExpr, (name) => {
          const value = entryOf(environment, name) ?? ''
          if (value === '') missing.add(name)
          return value
        })
      : subPath
    if (missing.size > 0) return `missing value for ${[...missing].sort().join(', ')}`
    if (path.startsWith('/')) return `error SubPath \`${path}\` must not be an absolute path`
    if (path.split('/').includes('..'))
      return `unable to provision SubPath \`${path}\`: must not contain '..'`
  }
  return undefined
}

/** https://kubernetes.io/docs/tasks/configure-pod-container/security-context/ */
function userProblem(pod: Stored<Pod>, { name, securityContext }: Container): string | undefined {
  const { runAsNonRoot, runAsUser } = { ...pod.spec?.securityContext, ...securityContext }
  if (!runAsNonRoot || runAsUser !== 0) return undefined
  return `container's runAsUser breaks non-root policy (pod: "${podInMessages(pod)}", container: ${name})`
}

function environmentProblem(
  { metadata }: Stored<Pod>,
  container: Container,
  { configMap, secret }: Sources,
): string | undefined {
  const at = (name = '') => `${metadata.namespace}/${name}`
  const notFound = (kind: string, name = '') => `${kind} "${name}" not found`
  for (const { configMapRef: map, secretRef: hidden } of container.envFrom ?? []) {
    if (map && !map.optional && configMap(at(map.name)) === undefined)
      return notFound('configmap', map.name)
    if (hidden && !hidden.optional && secret(at(hidden.name)) === undefined)
      return notFound('secret', hidden.name)
  }
  for (const { valueFrom } of container.env ?? []) {
    const { configMapKeyRef: map, secretKeyRef: hidden } = valueFrom ?? {}
    const wanted = map ?? hidden
    if (wanted === undefined || wanted.optional) continue
    const source = map ? configMap(at(map.name)) : secret(at(wanted.name))
    if (source === undefined) return notFound(map ? 'configmap' : 'secret', wanted.name)
    if (!hasKey(source, wanted.key))
      return `couldn't find key ${wanted.key} in ${map ? 'ConfigMap' : 'Secret'} ${at(wanted.name)}`
  }
  return undefined
}

const hasKey = (source: ConfigMap | Secret, key: string): boolean =>
  [source.data, 'binaryData' in source ? source.binaryData : undefined].some(
    (data) => data !== undefined && Object.hasOwn(data, key),
  )
