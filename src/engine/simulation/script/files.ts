/**
 * The file system of a simulated container: the files of its image, its mounts, and the files that
 * its program wrote. The contents of unknown images are unknown.
 */

import {
  type Changes,
  type Entry,
  FileError,
  type Mount,
  type OutsideChange,
  type Root,
  type Write,
} from './entries'
import { clean, parentOf } from './paths'
import { allows, type Identity, type Owner, ROOT, SET_GROUP } from './permissions'
import { OutsideSubset } from './words'

/** Directories of images, whose contents are unknown without an image. */
const OF_IMAGES =
  /^\/(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|app)(?:\/|$)/
/** The maximum size of all files, in characters. */
const MAXIMUM_TEXT = 262_144
const MAXIMUM_FILES = 200
const MAXIMUM_LINKS = 20
const FILE_MODE = 0o644
const DIRECTORY: Entry = { kind: 'directory', mode: 0o755 }
/** A directory in which everyone may create files. */
const SHARED_DIRECTORY: Entry = { kind: 'directory', mode: 0o1777 }
const SHARED = ['/tmp', '/var/tmp', '/dev/shm']

export class FileSystem {
  /** The working directory. */
  directory = '/'
  /** Permissions that new files and directories do not get. */
  umask = 0o022
  /** Writes in their order; `now` returns the time of the program in seconds. */
  readonly writes: Write[] = []
  now = (): number => 0
  readonly identity: Identity
  private readonly base = new Map<string, Entry>()
  private readonly written = new Map<string, Entry | undefined>()
  /** Deepest mounts first. */
  private readonly mounts: Mount[]
  private left = MAXIMUM_TEXT

  constructor(private readonly root: Root) {
    this.mounts = [...root.mounts].sort((a, b) => b.path.length - a.path.length)
    this.identity = root.identity ?? ROOT
    this.base.set('/', DIRECTORY)
    for (const path of SHARED) this.base.set(path, SHARED_DIRECTORY)
    for (const [path, text] of Object.entries({ ...root.image?.files, ...root.runtime }))
      if (!path.endsWith('/'))
        this.place(path, {
          kind: 'file',
          text,
          mode: path === root.messagePath ? 0o666 : FILE_MODE,
        })
      else if (!SHARED.includes(path.slice(0, -1))) this.place(path.slice(0, -1), DIRECTORY)
    for (const path of root.image?.programs ?? [])
      this.place(path, { kind: 'file', text: '', mode: 0o755 })
    // Outer mounts hide files of the image, inner mounts hide files of outer ones.
    for (const mount of [...this.mounts].reverse()) this.placeMount(mount)
  }

  /** @throws OutsideSubset if it is unknown whether the file exists */
  there(given: string): 'file' | 'directory' | undefined {
    const entry = this.entryAt(given)
    return entry?.kind === 'directory' ? 'directory' : entry && 'file'
  }

  /** The entry at a path, after following links. @throws OutsideSubset if it is unknown */
  entryAt(given: string): Exclude<Entry, { kind: 'link' }> | undefined {
    const path = this.resolved(given)
    if (path === '/dev/null') return { kind: 'file', text: '', mode: 0o666 }
    const entry = this.known(path)
    if (entry === undefined) this.mustBeKnown(path)
    return entry?.kind === 'link' ? undefined : entry
  }

  /** The entry itself, which may be a link. */
  ownEntryAt(given: string): Entry | undefined {
    const path = this.absolute(given)
    const entry = this.known(this.inResolvedParent(path))
    if (entry === undefined) this.mustBeKnown(path)
    return entry
  }

  /** The absolute path after following links. */
  resolved(given: string): string {
    let path = this.absolute(given)
    for (let links = 0; links < MAXIMUM_LINKS; links++) {
      const followed = this.withoutFirstLink(path)
      if (followed === path) return path
      path = followed
    }
    throw new FileError('Too many levels of symbolic links', given)
  }

  /** @returns undefined if it does not exist @throws FileError for a directory */
  read(given: string): string | undefined {
    const entry = this.entryAt(given)
    if (entry?.kind === 'directory') throw new FileError('Is a directory', given)
    if (entry) this.mustAllow('read', entry, given)
    return entry && this.issuedAt(this.resolved(given), entry.text)
  }

  /** Names in a directory, sorted. @throws OutsideSubset if they are unknown */
  list(given: string): string[] {
    const path = this.resolved(given)
    this.mustBeKnown(path === '/' ? '/bin' : `${path}/`)
    const directory = this.known(path)
    if (directory) this.mustAllow('read', directory, given)
    const start = path === '/' ? 1 : path.length + 1
    const names = new Set<string>()
    const collect = (name: string, entry: Entry | undefined) => {
      if (entry === undefined || name.length < start || !name.startsWith(path)) return
      if (path !== '/' && name[path.length] !== '/') return
      const rest = name.slice(start)
      if (rest !== '' && !rest.includes('/')) names.add(rest)
    }
    for (const [name, entry] of this.base) if (!this.written.has(name)) collect(name, entry)
    for (const [name, entry] of this.written) collect(name, entry)
    return [...names].sort()
  }

  /** @throws FileError, or OutsideSubset beyond the maximum size */
  write(given: string, content: string, append: boolean, mode = 0o666): void {
    const path = this.resolved(given)
    if (path.startsWith('/dev/') && this.mountOf(path) === undefined && !this.base.has(path)) return
    const present = this.writable(path, given)
    if (present?.kind === 'directory') throw new FileError('Is a directory', given)
    const before = present?.kind === 'file' ? present : undefined
    const text = (append ? (before?.text ?? '') : '') + content
    if (before) this.mustAllow('write', before, given)
    const created = { mode: mode & ~this.umask, ...this.ownerIn(parentOf(path)) }
    this.set(path, { kind: 'file', ...(before ?? created), text })
  }

  /** Removes an entry and everything below it. @throws FileError */
  remove(given: string): void {
    const path = this.inResolvedParent(this.absolute(given))
    this.writable(path, given)
    if (this.mounts.some((mount) => mount.path === path))
      throw new FileError('Resource busy', given)
    const below = `${path}/`
    for (const names of [this.base.keys(), [...this.written.keys()]])
      for (const name of names) if (name.startsWith(below)) this.set(name, undefined)
    this.set(path, undefined)
  }

  /** @throws FileError */
  makeDirectory(given: string, withParents = false, mode = 0o777): void {
    const path = this.absolute(given)
    if (withParents) {
      const parts = path.slice(1).split('/')
      for (const index of parts.keys()) {
        const part = `/${parts.slice(0, index + 1).join('/')}`
        if (this.isDirectory(part)) continue
        this.makeDirectory(part, false, mode)
      }
      return
    }
    const resolved = this.inResolvedParent(path)
    if (this.writable(resolved, given) !== undefined) throw new FileError('File exists', given)
    const owner = this.ownerIn(parentOf(resolved))
    const inherited = (this.known(parentOf(resolved)) as { mode?: number } | undefined)?.mode ?? 0
    this.set(resolved, {
      kind: 'directory',
      mode: (mode & ~this.umask) | (inherited & SET_GROUP),
      ...owner,
    })
  }

  /** @throws FileError */
  link(target: string, given: string): void {
    const path = this.inResolvedParent(this.absolute(given))
    if (this.writable(path, given) !== undefined) throw new FileError('File exists', given)
    this.set(path, { kind: 'link', target, ...this.ownerIn(parentOf(path)) })
  }

  /** @throws FileError */
  changeMode(given: string, mode: number): void {
    const path = this.resolved(given)
    const entry = this.writable(path, given)
    if (entry === undefined) throw new FileError('No such file or directory', given)
    const { user } = this.identity
    if (user !== 0 && (entry.uid ?? 0) !== user)
      throw new FileError('Operation not permitted', given)
    if (entry.kind !== 'link') this.set(path, { ...entry, mode })
  }

  /** @throws FileError */
  changeOwner(given: string, owner: Owner): void {
    const path = this.resolved(given)
    const entry = this.writable(path, given)
    if (entry === undefined) throw new FileError('No such file or directory', given)
    if (this.identity.user !== 0) throw new FileError('Operation not permitted', given)
    this.set(path, { ...entry, ...owner })
  }

  /** The mount that contains a path; undefined for the root file system. */
  mountAt(given: string): Mount | undefined {
    return this.mountOf(this.resolved(given))
  }

  changes(): Changes {
    return new Map(this.written)
  }

  /** Applies the changes of an earlier file system of the container. */
  take(changes: Changes): void {
    for (const [path, entry] of changes) this.written.set(path, entry)
  }

  /** Applies a change that the program itself does not make. */
  receive(change: OutsideChange): void {
    if ('mount' in change) {
      const { mount } = change
      this.mounts[this.mounts.findIndex(({ path }) => path === mount.path)] = mount
      this.placeMount(mount)
    } else if (change.isMounted) this.takeVolumes(new Map([[change.name, change.entry]]))
    else this.written.set(change.name, change.entry)
  }

  /** Applies changes of volumes, by the volume and the path below it. */
  takeVolumes(changes: Changes): void {
    for (const [name, entry] of changes)
      for (const { path, volume } of this.mounts)
        if (name === volume) this.written.set(path, entry)
        else if (name.startsWith(`${volume}/`))
          this.written.set(`${path}/${name.slice(volume.length + 1)}`, entry)
  }

  /** The changes of volumes, by the volume and the path below it. */
  kept(): Changes {
    const kept = new Map<string, Entry | undefined>()
    for (const [path, entry] of this.written) {
      const mount = this.mountOf(path)
      if (mount) kept.set(`${mount.volume}${path.slice(mount.path.length)}`, entry)
    }
    return kept
  }

  /** The absolute path, without following links. */
  absolute(path: string): string {
    return clean(path.startsWith('/') ? path : `${this.directory}/${path}`)
  }

  private place(path: string, entry: Entry): void {
    this.base.set(path, entry)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const parent = path.slice(0, at)
      if (this.base.has(parent)) return
      this.base.set(parent, DIRECTORY)
    }
  }

  private placeMount(mount: Mount): void {
    const { path, files, modes, owners, group: gid, mode, revision } = mount
    for (const name of [...this.base.keys()])
      if (name.startsWith(`${path}/`)) this.base.delete(name)
    const ofGroup = gid === undefined ? {} : { gid }
    const file = (name: string, text: string): Entry => ({
      kind: 'file',
      text,
      mode: modes?.get(name) ?? FILE_MODE,
      ...(owners?.has(name) && { uid: owners.get(name) ?? 0 }),
      ...ofGroup,
    })
    const whole = files?.get('')
    if (whole !== undefined) {
      this.place(path, file('', whole))
      return
    }
    this.place(path, { ...DIRECTORY, ...(mode !== undefined && { mode }), ...ofGroup })
    if (revision !== undefined) this.base.set(`${path}/..data`, { kind: 'link', target: revision })
    for (const [name, text] of files ?? []) {
      const [first = ''] = name.split('/', 1)
      if (revision === undefined) this.place(`${path}/${name}`, file(name, text))
      else {
        this.place(`${path}/${revision}/${name}`, file(name, text))
        this.base.set(`${path}/${first}`, { kind: 'link', target: `..data/${first}` })
      }
    }
  }

  private known(path: string): Entry | undefined {
    return this.written.has(path) ? this.written.get(path) : this.base.get(path)
  }

  private isDirectory(path: string): boolean {
    return this.known(this.resolved(path))?.kind === 'directory'
  }

  private withoutFirstLink(path: string): string {
    for (let at = path.indexOf('/', 1); ; at = path.indexOf('/', at + 1)) {
      const part = at < 0 ? path : path.slice(0, at)
      const entry = this.known(part)
      if (entry?.kind === 'link') {
        const parent = part.slice(0, part.lastIndexOf('/'))
        const target = entry.target.startsWith('/') ? entry.target : `${parent}/${entry.target}`
        return clean(target + path.slice(part.length))
      }
      if (at < 0) return path
    }
  }

  private inResolvedParent(path: string): string {
    const at = path.lastIndexOf('/')
    return clean(`${this.resolved(path.slice(0, at))}/${path.slice(at + 1)}`)
  }

  /** @returns the present entry @throws FileError if it cannot change */
  private writable(path: string, given: string): Entry | undefined {
    const mount = this.mountOf(path)
    if (mount ? mount.readOnly : this.root.readOnly)
      throw new FileError('Read-only file system', given)
    const parent = parentOf(path)
    const above = this.known(parent)
    if (above?.kind === 'file') throw new FileError('Not a directory', given)
    if (above === undefined && (mount || this.root.image) && this.isKnown(parent))
      throw new FileError('No such file or directory', given)
    const present = this.known(path)
    if (present === undefined && above) this.mustAllow('write', above, given)
    return present
  }

  /** @throws FileError */
  private mustAllow(access: 'read' | 'write', entry: Entry, given: string): void {
    if (!allows(this.identity, entry, access)) throw new FileError('Permission denied', given)
  }

  /** The owner of a new entry: the group of the directory if its set-group-ID bit is set. */
  private ownerIn(directory: string): Owner {
    const { user: uid, group } = this.identity
    const above = this.known(directory)
    const isShared = above?.kind === 'directory' && (above.mode & SET_GROUP) !== 0
    const gid = isShared ? (above.gid ?? 0) : group
    return { ...(uid !== 0 && { uid }), ...(gid !== 0 && { gid }) }
  }

  /** The contents of a file of a mount, which may have to be issued first. */
  private issuedAt(path: string, text: string): string {
    const mount = this.mountOf(path)
    if (!mount || this.written.has(path)) return text
    const below = path.slice(mount.path.length + 1)
    const name = mount.revision ? below.slice(mount.revision.length + 1) : below
    const request = mount.issued?.get(name)
    if (request === undefined) {
      if (mount.unknown?.has(name)) throw new OutsideSubset(path)
      return text
    }
    const issued = this.root.tokens?.get(request)
    if (issued !== undefined) return issued
    this.root.request?.(request)
    throw new OutsideSubset(path)
  }

  private set(path: string, entry: Entry | undefined): void {
    const parent = parentOf(path)
    // The directories of unknown images may exist.
    if (entry && this.known(parent) === undefined) this.set(parent, DIRECTORY)
    this.left -= path.length + (entry?.kind === 'file' ? entry.text.length : 0)
    this.written.set(path, entry)
    const mount = this.mountOf(path)
    const name = mount ? `${mount.volume}${path.slice(mount.path.length)}` : path
    this.writes.push({ at: this.now(), name, isMounted: mount !== undefined, entry })
    if (this.left < 0 || this.written.size > MAXIMUM_FILES)
      throw new OutsideSubset('more than is followed')
  }

  private mountOf(path: string): Mount | undefined {
    return this.mounts.find((mount) => path === mount.path || path.startsWith(`${mount.path}/`))
  }

  private isKnown(path: string): boolean {
    if (this.root.opaque) return false
    const mount = this.mountOf(path)
    if (mount) return mount.files !== undefined
    return this.root.image !== undefined || !OF_IMAGES.test(path)
  }

  private mustBeKnown(path: string): void {
    if (!this.isKnown(path)) throw new OutsideSubset(path)
  }
}
