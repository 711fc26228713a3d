/**
 * The mounts of a container, and their files as far as they are known (kubernetes.io, "Volumes").
 */
import { entryOf } from '../core/object'
import { withoutTrailing } from '../core/text-end'
import { expanded, fieldValue, resourceValue, textOf } from './environment'
import type { Item, Seen, SeenContainer, SeenPod, SeenVolume } from './pod'
import type { Mount } from './script/files'

export function mountsOf(
  pod: SeenPod,
  container: SeenContainer,
  environment: Record<string, string>,
  seen: Seen,
): Mount[] {
  return (container.volumeMounts ?? []).map(({ name, mountPath, subPath = '', subPathExpr }) => {
    const volume = pod.spec?.volumes?.find((one) => one.name === name)
    const below = subPathExpr
      ? expanded(subPathExpr, (variable) => entryOf(environment, variable))
      : subPath
    const files = volume && filesOf(pod, container, volume, seen)
    return {
      path: withoutTrailing(mountPath, '/'),
      volume: `${name}/${below}`,
      files: files && below ? filesBelow(files, below) : files,
    }
  })
}

type Files = Map<string, string>

/** A file that is mounted itself has an empty name. */
function filesBelow(files: Files, path: string): Files {
  const below = [...files]
    .filter(([name]) => name.startsWith(`${path}/`))
    .map(([name, text]): [string, string] => [name.slice(path.length + 1), text])
  const itself = files.get(path)
  return new Map(itself === undefined ? below : [['', itself], ...below])
}

/** @returns undefined if the contents are unknown */
function filesOf(
  pod: SeenPod,
  container: SeenContainer,
  volume: SeenVolume,
  seen: Seen,
): Files | undefined {
  const { emptyDir, configMap, secret, downwardAPI, projected } = volume
  if (emptyDir) return new Map()
  const ofMap = (name: string | undefined, items: Item[] | undefined) =>
    chosen(seen.configMap(name ?? '')?.data, items, (text) => text)
  const ofSecret = (name: string | undefined, items: Item[] | undefined) =>
    chosen(seen.secret(name ?? '')?.data, items, textOf)
  const ofPod = (items: NonNullable<NonNullable<SeenVolume['downwardAPI']>['items']>) =>
    items.map(({ path, fieldRef, resourceFieldRef }): [string, string] => [
      path,
      (fieldRef
        ? fieldValue(pod, fieldRef, seen)
        : resourceFieldRef && resourceValue(pod, container, resourceFieldRef, seen)) ?? '',
    ])
  if (configMap) return new Map(ofMap(configMap.name, configMap.items))
  if (secret) return new Map(ofSecret(secret.secretName, secret.items))
  if (downwardAPI) return new Map(ofPod(downwardAPI.items ?? []))
  if (!projected || projected.sources?.some(({ serviceAccountToken }) => serviceAccountToken))
    return undefined
  return new Map(
    (projected.sources ?? []).flatMap((source) => [
      ...(source.configMap ? ofMap(source.configMap.name, source.configMap.items) : []),
      ...(source.secret ? ofSecret(source.secret.name, source.secret.items) : []),
      ...ofPod(source.downwardAPI?.items ?? []),
    ]),
  )
}

function chosen(
  data: Record<string, string> | undefined,
  items: Item[] | undefined,
  read: (text: string) => string,
): [string, string][] {
  if (items === undefined) return Object.entries(data ?? {}).map(([key, text]) => [key, read(text)])
  return items.flatMap(({ key, path }): [string, string][] => {
    const text = entryOf(data, key)
    return text === undefined ? [] : [[path, read(text)]]
  })
}
