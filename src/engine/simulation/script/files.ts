/**
 * The files of a simulated container: its mounts and the files that its program wrote. The contents
 * of the image are unknown.
 */
import { OutsideSubset } from './syntax'

/** A volume mount of a container. */
export interface Mount {
  path: string
  /** Name of the volume, whose files outlive the container. */
  volume: string
  /** Contents by relative path; undefined if they are unknown. */
  files: ReadonlyMap<string, string> | undefined
}

/** Directories of images, whose contents are unknown. */
const OF_IMAGES =
  /^\/(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|app)(?:\/|$)/
/** The maximum size of all files, in characters. */
const ROOM = 262_144
const MOST_FILES = 200

export class FileSystem {
  private readonly written = new Map<string, string | undefined>()
  private readonly directories = new Set(['/', '/tmp'])
  private room = ROOM

  /** @param opaque an unknown program of the container may have written any file */
  constructor(
    private readonly mounts: readonly Mount[],
    private readonly opaque: boolean,
  ) {}

  /** @throws OutsideSubset if it is unknown whether the file exists */
  there(given: string): 'file' | 'directory' | undefined {
    const path = clean(given)
    if (this.read(path, true) !== undefined) return 'file'
    if (
      this.directories.has(path) ||
      this.mounts.some((mount) => mount.path === path || mount.path.startsWith(`${path}/`))
    )
      return 'directory'
    const below = path === '/' ? path : `${path}/`
    const isAbove = (content: string | undefined, name: string) =>
      content !== undefined && name.startsWith(below)
    for (const [name, content] of this.written) if (isAbove(content, name)) return 'directory'
    for (const { path: at, files } of this.mounts)
      for (const name of files?.keys() ?? [])
        if (`${at}/${name}`.startsWith(below)) return 'directory'
    this.mustBeKnown(path)
    return undefined
  }

  /** @param loosely returns undefined for unknown files too @throws OutsideSubset unless loosely */
  read(given: string, loosely = false): string | undefined {
    const path = clean(given)
    if (this.written.has(path)) return this.written.get(path)
    const mount = this.mountOf(path)
    const found = mount?.files?.get(path.slice(mount.path.length + 1))
    if (found === undefined && !loosely) this.mustBeKnown(path)
    return found
  }

  /** @throws OutsideSubset beyond the maximum size */
  write(given: string, content: string, append: boolean): void {
    const path = clean(given)
    if (path.startsWith('/dev/')) return
    const whole = (append ? (this.read(path, true) ?? '') : '') + content
    this.room -= whole.length + path.length
    if (this.room < 0 || this.written.size > MOST_FILES)
      throw new OutsideSubset('more than is followed')
    this.written.set(path, whole)
  }

  remove(given: string): void {
    const path = clean(given)
    for (const name of [...this.written.keys()])
      if (name.startsWith(`${path}/`)) this.written.set(name, undefined)
    this.written.set(path, undefined)
    this.directories.delete(path)
  }

  makeDirectory(given: string): void {
    this.room -= given.length
    if (this.room < 0) throw new OutsideSubset('more than is followed')
    this.directories.add(clean(given))
  }

  /** Written files by path; undefined for removed files. */
  changes(): ReadonlyMap<string, string | undefined> {
    return new Map(this.written)
  }

  /** Applies the changes of an earlier file system. */
  take(changes: ReadonlyMap<string, string | undefined>): void {
    for (const [path, content] of changes) this.written.set(path, content)
  }

  /** The written files in volumes. */
  kept(): ReadonlyMap<string, string | undefined> {
    return new Map([...this.written].filter(([path]) => this.mountOf(path) !== undefined))
  }

  private mountOf(path: string): Mount | undefined {
    const around = this.mounts.filter((mount) => path.startsWith(`${mount.path}/`))
    return around.sort((a, b) => b.path.length - a.path.length)[0]
  }

  private mustBeKnown(path: string): void {
    const mount = this.mountOf(path)
    if (this.opaque || (mount ? mount.files === undefined : OF_IMAGES.test(path)))
      throw new OutsideSubset(path)
  }
}

function clean(path: string): string {
  if (path.length > 4096) throw new OutsideSubset('path')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
