/**
 * The mounts of a container, and their files as far as they are known (kubernetes.io, "Volumes").
 */
import { entryOf } from '../core/object'
import { withoutTrailing } from '../core/text-end'
import { expanded, fieldValue, resourceValue, textOf } from './environment'
import type { Item, Seen, SeenContainer, SeenPod, SeenVolume } from './pod'
import type { Mount } from './script/files'

const DEFAULT_MODE = 0o644
/** The mode of the file with the token of a service account, for containers that run as root. */
const TOKEN_MODE = 0o644
/** Modes of the directory of a volume, on a disk and in memory. */
const DISK_MODE = 0o777
const MEMORY_MODE = 0o1777
/**
 * Bits that `fsGroup` adds (kubernetes.io, "Configure volume permission and ownership change
 * policy for Pods").
 */
const GROUP_MODES = { readOnly: 0o440, writable: 0o660, directory: 0o2110 }

export function mountsOf(
  pod: SeenPod,
  container: SeenContainer,
  environment: Record<string, string>,
  seen: Seen,
): Mount[] {
  return (container.volumeMounts ?? []).map((mount) => {
    const { name, mountPath, subPath = '', subPathExpr, readOnly } = mount
    const volume = pod.spec?.volumes?.find((one) => one.name === name)
    const below = withoutTrailing(
      subPathExpr ? expanded(subPathExpr, (variable) => entryOf(environment, variable)) : subPath,
      '/',
    )
    const contents = volume && contentsOf(pod, container, volume, seen)
    const files = contents && filesBelow(contents, below)
    // Only files that the kubelet writes are read-only without a flag.
    const written = files !== undefined && volume?.emptyDir === undefined
    const group = pod.spec?.securityContext?.fsGroup
    const groupMode = group === undefined ? 0 : GROUP_MODES.readOnly
    const inMemory =
      volume?.emptyDir?.medium === 'Memory' ||
      (volume?.secret ?? volume?.projected ?? volume?.downwardAPI) !== undefined
    return {
      path: withoutTrailing(mountPath, '/'),
      volume: below ? `${name}/${below}` : name,
      files: files && mapValues(files, ({ text }) => text ?? ''),
      ...(files && { modes: mapValues(files, ({ mode }) => mode | groupMode) }),
      mode: directoryMode(volume, inMemory, group),
      group,
      inMemory,
      ...(files && {
        unknown: new Set(
          [...files].flatMap(([path, { text }]) => (text === undefined ? path : [])),
        ),
      }),
      ...((readOnly || written) && { readOnly: true }),
      ...(written && below === '' && { revision: revisionOf(pod) }),
    }
  })
}

function directoryMode(
  volume: SeenVolume | undefined,
  inMemory: boolean,
  group: number | undefined,
): number {
  const mode = inMemory ? MEMORY_MODE : DISK_MODE
  if (group === undefined) return mode
  const { directory, readOnly, writable } = GROUP_MODES
  return mode | directory | (volume?.emptyDir ? writable : readOnly)
}

interface FileOfVolume {
  /** undefined if it is unknown */
  text: string | undefined
  mode: number
}

type Contents = Map<string, FileOfVolume>

const mapValues = <From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To) =>
  new Map([...map].map(([key, value]): [string, To] => [key, change(value)]))

/** The name of the directory that the kubelet writes: `..2026_01_01_00_00_00.000000000`. */
function revisionOf({ status }: SeenPod): string {
  const time = Date.parse(status?.startTime ?? '')
  const digits = new Date(Number.isNaN(time) ? 0 : time).toISOString().slice(0, 19)
  return `..${digits.replace(/[-T:]/g, '_')}.000000000`
}

/** A file that is mounted itself has an empty name. */
function filesBelow(files: Contents, path: string): Contents {
  if (path === '') return files
  const below = [...files]
    .filter(([name]) => name.startsWith(`${path}/`))
    .map(([name, file]): [string, FileOfVolume] => [name.slice(path.length + 1), file])
  const itself = files.get(path)
  return new Map(itself === undefined ? below : [['', itself], ...below])
}

/** @returns undefined if the contents are unknown */
function contentsOf(
  pod: SeenPod,
  container: SeenContainer,
  volume: SeenVolume,
  seen: Seen,
): Contents | undefined {
  const { emptyDir, configMap, secret, downwardAPI, projected } = volume
  if (emptyDir) return new Map()
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
      ...unknownFile(part.serviceAccountToken, TOKEN_MODE),
      ...unknownFile(part.clusterTrustBundle, mode),
    ]),
  )
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
