/** The files of a container as data: mounts, entries and changes. */
import type { Image } from '../images/image'
import type { Identity, Owner } from './permissions'

export interface Mount {
  path: string
  /** The volume and the path below it, without a trailing slash. Its files outlive the container. */
  volume: string
  /** Contents by relative path; undefined if they are unknown. An empty path is the mount itself. */
  files: ReadonlyMap<string, string> | undefined
  /** Modes of files by relative path; 0644 if absent. */
  modes?: ReadonlyMap<string, number>
  /** The mode of the directory itself, and of directories of a program; 0755 if absent. */
  mode?: number
  /** The group of its files: the `fsGroup` of the pod. */
  group?: number | undefined
  /** The users of files by relative path; root if absent. */
  owners?: ReadonlyMap<string, number>
  inMemory?: boolean
  /** Files whose contents are issued when a program reads them: relative paths, and the request. */
  issued?: ReadonlyMap<string, string>
  /** Relative paths of files whose contents are unknown. */
  unknown?: ReadonlySet<string>
  readOnly?: boolean
  /**
   * The directory that the link `..data` refers to, if a kubelet replaces the files at once
   * (kubernetes.io, "Mounted ConfigMaps are updated automatically").
   */
  revision?: string
}

export type Entry = (
  | { kind: 'file'; text: string; mode: number }
  | { kind: 'directory'; mode: number }
  | { kind: 'link'; target: string }
) &
  Owner

/** Changed entries by path; undefined for removed ones. */
export type Changes = ReadonlyMap<string, Entry | undefined>

/** A failed operation, with the text of its errno. */
export class FileError extends Error {
  constructor(
    readonly reason: string,
    readonly path: string,
  ) {
    super(`${path}: ${reason}`)
  }
}

export interface Root {
  mounts: readonly Mount[]
  /** An unknown program of the container may have written any file. */
  opaque: boolean
  image?: Image | undefined
  /** Files that the kubelet and the container runtime write, by path. */
  runtime?: Readonly<Record<string, string>> | undefined
  /** The file of the termination message, which every user can write. */
  messagePath?: string
  readOnly?: boolean | undefined
  /** Contents that were issued, by request. */
  tokens?: ReadonlyMap<string, string> | undefined
  /** Requests contents that a program reads. */
  request?: ((request: string) => void) | undefined
  /** Who reads and writes; root if absent. */
  identity?: Identity | undefined
}

export interface Write {
  /** Seconds since the start of the program. */
  at: number
  /** The absolute path; in a mount, the volume and the path below it. */
  name: string
  isMounted: boolean
  /** undefined: the entry is removed. */
  entry: Entry | undefined
}

/** A change of files that the program itself does not make, at its time in seconds. */
export type OutsideChange = Write | { at: number; mount: Mount }
