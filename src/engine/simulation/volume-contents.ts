/** The contents of volumes, as far as they are known (kubernetes.io, "Volumes"). */
import { entryOf } from '../core/object'
import { fieldValue, resourceValue, textOf } from './environment'
import type { Item, Seen, SeenContainer, SeenPod, SeenVolume } from './pod'

const DEFAULT_MODE = 0o644
/** Directories of nodes whose files the simulation does not know. */
const SYSTEM = /^\/(?:$|(?:bin|boot|dev|etc|home|lib|lib64|proc|root|run|sbin|sys|usr|var)(?:\/|$))/

export interface FileOfVolume {
  /** undefined if it is unknown */
  text: string | undefined
  mode: number
  uid?: number | undefined
  /** The token request whose result the file has. */
  request?: string
}

export type Contents = Map<string, FileOfVolume>

export interface VolumeRevision {
  /** Milliseconds since the epoch. */
  at: number
  contents: Contents
}

/** Volumes of nodes, whose files all pods of a node share, have names with this prefix. */
export const HOST_PREFIX = 'host:'

/** @returns undefined if the contents are unknown */
export function contentsOf(
  pod: SeenPod,
  container: SeenContainer,
  volume: SeenVolume,
  seen: Seen,
): Contents | undefined {
  const { emptyDir, hostPath, configMap, secret, downwardAPI, projected } = volume
  if (emptyDir) return new Map()
  if (hostPath) return hostContents(hostPath)
  const source = configMap ?? secret ?? downwardAPI ?? projected
  if (source === undefined) return undefined
  const mode = source.defaultMode ?? DEFAULT_MODE
  const ofMap = (name: string | undefined, items: Item[] | undefined) => {
    const map = seen.configMap(name ?? '')
    return [
      ...chosen(map?.data, items, (text) => text, mode),
      ...chosen(map?.binaryData, items, textOf, mode),
    ]
  }
  const ofSecret = (name: string | undefined, items: Item[] | undefined) =>
    chosen(seen.secret(name ?? '')?.data, items, textOf, mode)
  const ofPod = (items: NonNullable<NonNullable<SeenVolume['downwardAPI']>['items']>) =>
    items.map(({ path, fieldRef, resourceFieldRef, mode: own }): [string, FileOfVolume] => [
      path,
      {
        text:
          (fieldRef
            ? fieldValue(pod, fieldRef, seen)
            : resourceFieldRef && resourceValue(pod, container, resourceFieldRef, seen)) ?? '',
        mode: own ?? mode,
      },
    ])
  if (configMap) return new Map(ofMap(configMap.name, configMap.items))
  if (secret) return new Map(ofSecret(secret.secretName, secret.items))
  if (downwardAPI) return new Map(ofPod(downwardAPI.items ?? []))
  return new Map(
    (projected?.sources ?? []).flatMap((part): [string, FileOfVolume][] => [
      ...(part.configMap ? ofMap(part.configMap.name, part.configMap.items) : []),
      ...(part.secret ? ofSecret(part.secret.name, part.secret.items) : []),
      ...ofPod(part.downwardAPI?.items ?? []),
      ...tokenFile(part.serviceAccountToken, pod, mode),
      ...unknownFile(part.clusterTrustBundle, mode),
    ]),
  )
}

/** The lifetime of a token without `expirationSeconds`. */
const TOKEN_SECONDS = 3600

/** A request of a token: its audience, and its lifetime in seconds. */
export interface TokenSource {
  audience: string
  expirationSeconds: number
}

/**
 * The file of a token. Only its user can read it if all containers have the same user, or if the
 * pod has an `fsGroup` (kubernetes.io, "Configure Service Accounts for Pods").
 */
function tokenFile(
  source: ({ path: string } & Partial<TokenSource>) | undefined,
  { spec }: SeenPod,
  mode: number,
): [string, FileOfVolume][] {
  if (source === undefined) return []
  const { path, audience = '', expirationSeconds = TOKEN_SECONDS } = source
  const users = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(
    ({ securityContext }) => securityContext?.runAsUser ?? spec?.securityContext?.runAsUser,
  )
  const [uid] = new Set(users).size === 1 ? users : []
  const isPrivate = uid !== undefined || spec?.securityContext?.fsGroup !== undefined
  const request = JSON.stringify({ audience, expirationSeconds })
  return [[path, { text: undefined, mode: isPrivate ? 0o600 : mode, uid, request }]]
}

const unknownFile = (
  source: { path: string } | undefined,
  mode: number,
): [string, FileOfVolume][] => (source ? [[source.path, { text: undefined, mode }]] : [])

function chosen(
  data: Record<string, string> | undefined,
  items: Item[] | undefined,
  read: (text: string) => string,
  mode: number,
): [string, FileOfVolume][] {
  if (items === undefined)
    return Object.entries(data ?? {}).map(([key, text]) => [key, { text: read(text), mode }])
  return items.flatMap(({ key, path, mode: own }): [string, FileOfVolume][] => {
    const text = entryOf(data, key)
    return text === undefined ? [] : [[path, { text: read(text), mode: own ?? mode }]]
  })
}

const HOSTS_OF_NODE = '127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n'

/** Directories of a node are empty until a program writes to them, except those of its system. */
function hostContents({ path, type = '' }: { path: string; type?: string }): Contents | undefined {
  if (path === '/etc/hosts') return new Map([['', { text: HOSTS_OF_NODE, mode: DEFAULT_MODE }]])
  if (SYSTEM.test(path)) return undefined
  return type.startsWith('File') || type === 'Socket'
    ? new Map([['', { text: '', mode: DEFAULT_MODE }]])
    : new Map()
}
