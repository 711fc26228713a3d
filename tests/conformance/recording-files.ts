/** The recordings that lie beside this file and how each folder's server was started. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Recording } from './replay'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Flags that every recorded server had. File names are relative to the folder of the recordings. */
export const COMMON_FLAGS = [
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
  /** What the engine must be able to do before these can be replayed; undefined: replayed. */
  waitsFor?: string
}

export const FOLDERS: Folder[] = [
  { name: 'recordings', flags: ['--controllers=off'] },
  { name: 'recordings-flags', flags: ['--controllers=off'], waitsFor: 'flags of other authorization modes, versions and webhooks' },
  { name: 'recordings-controllers', flags: ['--controllers=*', '--scheduler=off', '--nodes=0'], waitsFor: 'controllers' },
  { name: 'recordings-scheduler', flags: ['--controllers=*', '--scheduler=on', '--nodes=0'], waitsFor: 'the scheduler' },
]

export interface RecordingFile {
  folder: Folder
  /** `access-rbac` */
  name: string
  path: string
}

export function recordingFiles(folder: Folder): RecordingFile[] {
  const at = join(here, folder.name)
  const names = readdirSync(at).filter((name) => name.endsWith('.json.gz'))
  return names.sort().map((name) => ({ folder, name: basename(name, '.json.gz'), path: join(at, name) }))
}

export function readRecordings(file: RecordingFile): Recording[] {
  return JSON.parse(gunzipSync(readFileSync(file.path)).toString('utf8')) as Recording[]
}

/** `recordings/access-rbac` is of the area `access`, `recordings-flags/access-abac` of `flags: access`. */
export function areaOf(file: string): string {
  const [folder = '', name = ''] = file.split('/')
  const area = name.slice(0, name.indexOf('-'))
  return folder === 'recordings' ? area : `${folder.slice('recordings-'.length)}: ${area}`
}
