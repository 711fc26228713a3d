/** The recordings that lie beside this file and how each folder's server was started. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Files } from '../../src/engine/environment'
import { systemFiles } from '../../src/hosts/node/files'
import type { Recording } from './replay'

const here = fileURLToPath(new URL('.', import.meta.url))

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

/** Files that flags name, as they were where the recordings were made: `@DIR@` in them stands for their folder. */
export function recordedFiles(folder: Folder): Files {
  return { read: (path) => systemFiles.read(path).replaceAll('@DIR@', folderPath(folder)) }
}

export interface RecordingFile {
  folder: Folder
  /** `access-rbac` */
  name: string
  path: string
}

export function recordingFiles(folder: Folder): RecordingFile[] {
  const at = join(here, folder.name)
  const names = readdirSync(at).filter((name) => name.endsWith('.json.gz'))
  return names
    .sort()
    .map((name) => ({ folder, name: basename(name, '.json.gz'), path: join(at, name) }))
}

export function readRecordings(file: RecordingFile): Recording[] {
  return JSON.parse(gunzipSync(readFileSync(file.path)).toString('utf8')) as Recording[]
}

/** The flags of the server that a recording was made with: its own, named in brackets in its `doc`, replace the common ones. */
export function flagsOf(file: RecordingFile, recording: Recording): string[] {
  const own = (/\[(--[^\]]*)\]/.exec(recording.doc)?.[1] ?? '')
    .split(' ')
    .filter((flag) => flag !== '')
  const byName = new Map<string, string>()
  for (const flag of [...COMMON_FLAGS, ...file.folder.flags, ...own]) {
    const [name = '', value] = flag.split('=', 2) as [string, string | undefined]
    const beside = join(here, file.folder.name, value ?? '')
    byName.set(
      name,
      value && /\.\w+$/.test(value) && existsSync(beside) ? `${name}=${beside}` : flag,
    )
  }
  // A configuration file stands in the modes' place.
  if (byName.has('--authorization-config')) byName.delete('--authorization-mode')
  return [...byName.values()]
}

/** The program that must run beside the server, as `webhook-server.mjs`; undefined for most recordings. */
export function companionOf(recording: Recording): string | undefined {
  return /\[needs (\S+)[^\]]*\]|with (\S+\.mjs) running/.exec(recording.doc)?.slice(1).find(Boolean)
}

/** `recordings/access-rbac` is of the area `access`, `recordings-flags/access-abac` of `flags: access`. */
export function areaOf(file: string): string {
  const [folder = '', name = ''] = file.split('/')
  const area = name.slice(0, name.indexOf('-'))
  return folder === 'recordings' ? area : `${folder.slice('recordings-'.length)}: ${area}`
}
