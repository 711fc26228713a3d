/** The recordings that lie next to this file and how each folder's server was started. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Files } from '../../src/engine/core/environment'
import type { Release } from '../../src/engine/releases/release'
import { systemFiles } from '../../src/hosts/node/files'
import type { Recording } from './replay'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The release of recordings outside `recordings-releases`. */
export const RECORDED_RELEASE: Release = '1.31'

/** Flags that every recorded server had. */
const COMMON_FLAGS = [
  `--token-auth-file=${join(here, 'tokens.csv')}`,
  '--authorization-mode=Node,RBAC',
  '--anonymous-auth=true',
  '--enable-bootstrap-token-auth',
  '--allow-privileged',
  '--service-cluster-ip-range=10.96.0.0/16',
  '--service-account-issuer=https://kubernetes.default.svc',
]

export interface Folder {
  name: string
  flags: string[]
}

export const FOLDERS: Folder[] = [
  { name: 'recordings', flags: ['--controllers=off'] },
  { name: 'recordings-flags', flags: ['--controllers=off'] },
  { name: 'recordings-controllers', flags: ['--controllers=*', '--scheduler=off', '--nodes=0'] },
  { name: 'recordings-scheduler', flags: ['--controllers=*', '--scheduler=on', '--nodes=0'] },
]

export const folderPath = ({ name }: Folder): string => join(here, name)

/** Files that flags name, with `@DIR@` as the placeholder of their folder. */
export function recordedFiles(folder: Folder): Files {
  return { read: (path) => systemFiles.read(path).replaceAll('@DIR@', folderPath(folder)) }
}

export interface RecordingFile {
  /** The release whose recordings these are; absent: the one that most are of. */
  release?: string
  folder: Folder
  /** `access-rbac` */
  name: string
  path: string
}

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json.gz')) : []

/** @param release with files that only later releases up to this one have */
export function recordingFiles(folder: Folder, release?: string): RecordingFile[] {
  const at = join(here, folder.name)
  const names = new Set([at, ...overlaysTo(folder, release)].flatMap(filesIn))
  return [...names].sort().map((name) => ({
    ...(release === undefined ? {} : { release }),
    folder,
    name: basename(name, '.json.gz'),
    path: join(at, name),
  }))
}

const RELEASES = join(here, 'recordings-releases')

/**
 * Folders with other responses of newer releases, oldest first; only the folder `recordings` has
 * them.
 */
function overlaysTo({ name }: Folder, release: string | undefined): string[] {
  if (release === undefined || name !== 'recordings') return []
  const minor = (text: string) => Number(text.split('.')[1])
  return readdirSync(RELEASES)
    .filter((folder) => /^1\.\d+$/.test(folder) && minor(folder) <= minor(release))
    .sort((a, b) => minor(a) - minor(b))
    .map((folder) => join(RELEASES, folder))
}

/** What holds for the file's release: of each recording the newest one at or below it, if it can be recorded at all. */
export function readRecordings(file: RecordingFile): Recording[] {
  const overlays = overlaysTo(file.folder, file.release).map((at) => join(at, basename(file.path)))
  const held = new Map<string, Recording>()
  for (const path of [file.path, ...overlays].filter((one) => existsSync(one))) {
    for (const recording of recordingsIn(path)) {
      if (recording.gone) held.delete(recording.name)
      else held.set(recording.name, recording)
    }
  }
  return [...held.values()]
}

const recordingsIn = (path: string) =>
  JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as (Recording & { gone?: boolean })[]

/** The flags of the server that a recording was made with: its own, named in brackets in its `doc`, replace the common ones. */
export function flagsOf(file: RecordingFile, recording: Recording): string[] {
  const own = (/\[(--[^\]]*)\]/.exec(recording.doc)?.[1] ?? '')
    .split(' ')
    .filter((flag) => flag !== '')
  const byName = new Map<string, string>()
  const release = `--release=${file.release ?? RECORDED_RELEASE}`
  for (const flag of [...COMMON_FLAGS, ...file.folder.flags, release, ...own]) {
    const [name = '', value] = flag.split('=', 2) as [string, string | undefined]
    const neighbor = join(here, file.folder.name, value ?? '')
    byName.set(
      name,
      value && /\.\w+$/.test(value) && existsSync(neighbor) ? `${name}=${neighbor}` : flag,
    )
  }
  // A configuration file replaces the modes.
  if (byName.has('--authorization-config')) byName.delete('--authorization-mode')
  return [...byName.values()]
}

/** The program that must run next to the server, as `webhook-server.mjs`; undefined for most recordings. */
export function companionOf(recording: Recording): string | undefined {
  return /\[needs (\S+)[^\]]*\]|with (\S+\.mjs) running/.exec(recording.doc)?.slice(1).find(Boolean)
}

/** `recordings/access-rbac` is of the area `access`, `recordings-flags/access-abac` of `flags: access`. */
export function areaOf(file: string): string {
  const [folder = '', name = ''] = file.split('/')
  const area = name.slice(0, name.indexOf('-'))
  return folder === 'recordings' ? area : `${folder.slice('recordings-'.length)}: ${area}`
}
