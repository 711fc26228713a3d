/**
 * The mounts of a container, and their files as far as they are known (kubernetes.io, "Volumes").
 */
import { entryOf } from '../core/object'
import { withoutTrailing } from '../core/text-end'
import { expanded } from './environment'
import type { SeenContainer, SeenPod, SeenVolume } from './pod'
import type { Mount } from './script/entries'
import { type Contents, type FileOfVolume, HOST_PREFIX } from './volume-contents'

/** Modes of the directory of a volume, on a disk and in memory. */
const DISK_MODE = 0o777
const MEMORY_MODE = 0o1777
/**
 * Bits that `fsGroup` adds (kubernetes.io, "Configure volume permission and ownership change
 * policy for Pods").
 */
const GROUP_MODES = { readOnly: 0o440, writable: 0o660, directory: 0o2110 }

/** Whether the kubelet writes the files of a volume, and replaces them when their source changes. */
export const isWrittenByKubelet = ({ configMap, secret, downwardAPI, projected }: SeenVolume) =>
  (configMap ?? secret ?? downwardAPI ?? projected) !== undefined

export function mountsOf(
  pod: SeenPod,
  container: SeenContainer,
  environment: Readonly<Record<string, string>>,
  contentsOf: (volume: SeenVolume) => { contents: Contents | undefined; at?: number },
): Mount[] {
  return (container.volumeMounts ?? []).map((mount) => {
    const { name, mountPath, subPath = '', subPathExpr, readOnly } = mount
    const volume = pod.spec?.volumes?.find((one) => one.name === name)
    const below = withoutTrailing(
      subPathExpr ? expanded(subPathExpr, (variable) => entryOf(environment, variable)) : subPath,
      '/',
    )
    const { contents, at } = (volume && contentsOf(volume)) ?? {}
    const files = contents && filesBelow(contents, below)
    // Only files that the kubelet writes are read-only without a flag.
    const written = volume !== undefined && isWrittenByKubelet(volume)
    const root = volume?.hostPath
      ? `${HOST_PREFIX}${pod.spec?.nodeName}${withoutTrailing(volume.hostPath.path, '/')}`
      : name
    const group = pod.spec?.securityContext?.fsGroup
    const groupMode = group === undefined || !written ? 0 : GROUP_MODES.readOnly
    const inMemory =
      volume?.emptyDir?.medium === 'Memory' ||
      (volume?.secret ?? volume?.projected ?? volume?.downwardAPI) !== undefined
    return {
      path: withoutTrailing(mountPath, '/'),
      volume: below ? `${root}/${below}` : root,
      files: files && mapValues(files, ({ text }) => text ?? ''),
      ...(files && { modes: mapValues(files, ({ mode }) => mode | groupMode) }),
      mode: directoryMode(volume, inMemory, group),
      group,
      inMemory,
      ...(files && {
        owners: definedValues(files, ({ uid }) => uid),
        issued: definedValues(files, ({ request }) => request),
        unknown: new Set(
          [...files].flatMap(([path, { text }]) => (text === undefined ? path : [])),
        ),
      }),
      ...((readOnly || written) && { readOnly: true }),
      ...(written && below === '' && { revision: revisionOf(pod, at) }),
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

const definedValues = <From, To>(
  map: ReadonlyMap<string, From>,
  pick: (value: From) => To | undefined,
): Map<string, To> =>
  new Map(
    [...map].flatMap(([key, value]): [string, To][] => {
      const picked = pick(value)
      return picked === undefined ? [] : [[key, picked]]
    }),
  )

const mapValues = <From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To) =>
  new Map([...map].map(([key, value]): [string, To] => [key, change(value)]))

/** The name of the directory that the kubelet writes: `..2026_01_01_00_00_00.000000000`. */
function revisionOf({ status }: SeenPod, at = Date.parse(status?.startTime ?? '')): string {
  const time = at
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
