/**
 * Warns of overlapping paths, as `warningsForOverlappingVirtualPaths` of k8s.io/kubernetes,
 * pkg/api/pod/warnings.go.
 */

import { withoutTrailing } from '../../core/text-end'
import type { Changes } from '../../release-tables/changes'
import { goQuote } from '../../schema/go-text'
import type { Volume } from './pod-types'

interface VolumeFile {
  path: string
  source?: string
}

interface FileItem {
  path?: string
}

interface FileSource {
  name?: string
  secretName?: string
  items?: FileItem[] | null
}

interface ProjectedSource {
  configMap?: FileSource
  secret?: FileSource
  downwardAPI?: FileSource
  serviceAccountToken?: FileItem
  clusterTrustBundle?: FileItem & { name?: string; signerName?: string }
}

/** @param most warnings per list */
export function overlappingPathWarnings(
  volumes: readonly Volume[],
  changes: Changes,
  most: number,
): string[] {
  const warnings: string[] = []
  const repeatsFiles = !changes.has('OverlappingPathsOncePerSource')
  for (const volume of volumes) {
    const name = goQuote(volume.name ?? '')
    const { configMap, secret, downwardAPI, projected } = volume as {
      configMap?: FileSource
      secret?: FileSource
      downwardAPI?: FileSource
      projected?: { sources?: ProjectedSource[] | null }
    }
    const lists: [kind: string, source: FileSource | undefined][] = [
      [`ConfigMap ${goQuote(configMap?.name ?? '')}`, configMap],
      [`Secret ${goQuote(secret?.secretName ?? '')}`, secret],
      ['DownwardAPI', downwardAPI],
    ]
    for (const [kind, source] of lists) {
      if (!source?.items) continue
      const prefix = `volume ${name} (${kind}): overlapping paths: `
      addOverlaps(filesOf(source.items), new PlacedFiles(), { warnings, prefix, most })
    }
    const prefix = `volume ${name} (Projected)`
    addProjected(projected?.sources ?? [], repeatsFiles, { warnings, prefix, most })
    if (warnings.length >= most) break
  }
  return warnings
}

interface Output {
  warnings: string[]
  prefix: string
  most: number
}

/**
 * @param repeatsFiles as kube-apiserver since 1.33: a source without files counts as the one before
 */
function addProjected(
  sources: readonly ProjectedSource[],
  repeatsFiles: boolean,
  output: Output,
): void {
  const { warnings, prefix, most } = output
  const placed = new PlacedFiles()
  let files: VolumeFile[] = []
  for (const source of sources) {
    if (warnings.length >= most) return
    if (Object.values(source).every((member) => member === undefined || member === null)) {
      warnings.push(`${prefix} has no sources provided`)
      continue
    }
    files = projectedFiles(source) ?? (repeatsFiles ? files : [])
    addOverlaps(files, placed, { ...output, prefix: `${prefix}: overlapping paths: ` })
  }
}

function projectedFiles(source: ProjectedSource): VolumeFile[] | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source
  if (configMap?.items)
    return filesOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`)
  if (secret?.items) return filesOf(secret.items, `Secret ${goQuote(secret.name ?? '')}`)
  if (downwardAPI?.items) return filesOf(downwardAPI.items, 'DownwardAPI')
  if (serviceAccountToken) return filesOf([serviceAccountToken], 'ServiceAccountToken')
  if (!clusterTrustBundle) return undefined
  const { name, signerName = '' } = clusterTrustBundle
  return filesOf([clusterTrustBundle], `ClusterTrustBundle ${goQuote(name ?? signerName)}`)
}

const filesOf = (items: readonly FileItem[], source?: string): VolumeFile[] =>
  items.map(({ path = '' }) => ({
    path: withoutTrailing(path, '/'),
    ...(source !== undefined && { source }),
  }))

function addOverlaps(
  files: readonly VolumeFile[],
  placed: PlacedFiles,
  { warnings, prefix, most }: Output,
): void {
  for (const file of files) {
    for (const other of placed.overlapping(file)) {
      if (warnings.length >= most) return
      warnings.push(`${prefix}${shownFile(file)} with ${shownFile(other)}`)
    }
    placed.add(file)
  }
}

const shownFile = ({ path, source }: VolumeFile): string =>
  source === undefined ? goQuote(path) : `${goQuote(path)} (${source})`

interface Directory {
  children: Map<string, Directory>
  /** Indexes of files at this path. */
  own: number[]
  /** Also below this path. */
  all: number[]
}

const emptyDirectory = (): Directory => ({ children: new Map(), own: [], all: [] })

/** A tree finds overlaps in linear time. */
class PlacedFiles {
  private readonly files: VolumeFile[] = []
  private readonly root = emptyDirectory()

  /** At, above or below the path, in order. */
  overlapping({ path }: VolumeFile): VolumeFile[] {
    if (path === '') return []
    let directory: Directory | undefined = this.root
    const found: number[] = []
    for (const segment of path.split('/')) {
      for (const index of directory.own) found.push(index)
      directory = directory.children.get(segment)
      if (directory === undefined) break
    }
    for (const index of directory?.all ?? []) found.push(index)
    return found.sort((a, b) => a - b).map((index) => this.files[index] as VolumeFile)
  }

  add(file: VolumeFile): void {
    const index = this.files.push(file) - 1
    if (file.path === '') return
    let directory = this.root
    for (const segment of file.path.split('/')) {
      let child = directory.children.get(segment)
      if (child === undefined) {
        child = emptyDirectory()
        directory.children.set(segment, child)
      }
      child.all.push(index)
      directory = child
    }
    directory.own.push(index)
  }
}
