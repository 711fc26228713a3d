/**
 * The programs of one pod with the files that they share: each sees the writes of the others, of
 * commands in the containers, and of the kubelet at their times.
 */
import type { LogEntry } from './behavior'
import { isWrittenByKubelet, mountsOf } from './mounts'
import type { HostFiles, LiveClient } from './network/client'
import type { Reach } from './network/journal'
import { type Seen, type SeenContainer, type SeenPod, statusOf } from './pod'
import type { PodState, SimulatedState, TimedWrite } from './pod-state'
import { hostFilesIn } from './runtime-files'
import type { Course } from './script/course'
import type { Changes, OutsideChange } from './script/entries'
import { FileSystem } from './script/files'
import { type ContainerProcess, courseOf, execSurroundings, processOf } from './simulated-process'
import { HOST_PREFIX } from './volume-contents'

/** How often programs that share files are simulated, each time with the writes of the others. */
const ROUNDS = 3

/** Files that a command in a container finds. */
export interface FilesNow {
  files: Changes | undefined
  outside: readonly OutsideChange[]
}

/** The network at a time, with which a kubelet runs the programs of its pods. */
export interface LiveNetwork {
  /** Milliseconds since the epoch. */
  now: number
  clientOf(files: HostFiles): LiveClient
  /** The network as the node itself reaches it. */
  ofNode(): LiveClient
}

interface Run {
  /** Milliseconds since the epoch. */
  began: number
  ended: number
}

export class PodPrograms {
  private readonly courses = new Map<string, Course | undefined>()
  private readonly processes = new Map<string, ContainerProcess>()
  private readonly own: PodState | undefined

  constructor(
    private readonly pod: SeenPod,
    private readonly seen: Seen,
    private readonly state: SimulatedState | undefined,
    private readonly network?: LiveNetwork,
  ) {
    this.own = state?.of(pod)
  }

  /** The program as it began, or as it would begin now. */
  processOf(container: SeenContainer, restarts: number): ContainerProcess {
    const { name = '' } = container
    const recorded = this.own?.recordOf(name, restarts)?.process
    const known = recorded ?? this.processes.get(`${name} ${restarts}`)
    if (known) return this.withTokens(known)
    const process = processOf(this.pod, container, this.seen, ({ name: volume }) =>
      this.own?.volumes.get(volume)?.findLast(({ at }) => at <= this.beganAt(name, restarts)),
    )
    this.processes.set(`${name} ${restarts}`, process)
    return this.withTokens(process)
  }

  private withTokens({ argv, surroundings }: ContainerProcess): ContainerProcess {
    const { own } = this
    if (own === undefined || !surroundings.mounts.some(({ issued }) => issued?.size))
      return { argv, surroundings }
    const request = (wanted: string) => own.wantedTokens.add(wanted)
    const root = { ...surroundings.root, tokens: own.tokens, request }
    return { argv, surroundings: { ...surroundings, root } }
  }

  /** @returns undefined if its program cannot be interpreted */
  courseOf(container: SeenContainer, restarts: number, round = ROUNDS): Course | undefined {
    const { name = '' } = container
    const key = `${name} ${restarts} ${round}`
    if (this.courses.has(key)) return this.courses.get(key)
    const process = this.processOf(container, restarts)
    const course = courseOf(
      process,
      this.earlierRuns(name, restarts),
      this.outsideOf(container, restarts, round),
      this.reachOf(process, name, restarts, round === ROUNDS),
    )
    this.courses.set(key, course)
    return course
  }

  /** Simulations for other programs find what the program has done, but do not go on. */
  private reachOf(
    process: ContainerProcess,
    name: string,
    restarts: number,
    goesOn: boolean,
  ): Reach | undefined {
    if (this.own === undefined) return undefined
    const began = this.beganAt(name, restarts)
    const { network } = this
    const isRunning = this.runOf(name, restarts)?.ended === Number.POSITIVE_INFINITY
    const journal = this.own.journalOf(name, restarts)
    if (network === undefined || !goesOn || !isRunning) return { journal }
    const files = hostFilesIn(process.surroundings.root?.runtime)
    const live = {
      until: (network.now - began) / 1000,
      get client() {
        return network.clientOf(files)
      },
      onResponse: () => this.state?.sync(this.pod),
    }
    return { journal, live }
  }

  /** The number of earlier runs whose writes are not recorded. */
  earlierRuns(name: string, restarts: number): number {
    return this.own?.recordOf(name, restarts)?.isComplete ? 0 : restarts
  }

  /** Changes of files that others make, by seconds since the start of a run. */
  outsideOf(container: SeenContainer, restarts: number, round = ROUNDS): OutsideChange[] {
    const { name = '' } = container
    const began = this.beganAt(name, restarts)
    if (!Number.isFinite(began)) return []
    const { mounts } = this.processOf(container, restarts).surroundings
    const isVisible = (write: TimedWrite) =>
      mounts.some(({ volume }) => write.name === volume || write.name.startsWith(`${volume}/`))
    const writes = [
      ...(this.own?.writes ?? []),
      ...(mounts.some(({ volume }) => volume.startsWith(HOST_PREFIX))
        ? (this.state?.hosts ?? [])
        : []),
      ...(round > 0 ? this.writesOfOthers(container, round - 1) : []),
    ].filter(isVisible)
    const ofCommands = this.own?.recordOf(name, restarts)?.writes ?? []
    return [...[...writes, ...ofCommands], ...this.revisionsOf(container, restarts, began)]
      .map((change) => ({ ...change, at: (change.at - began) / 1000 }))
      .sort((a, b) => a.at - b.at)
  }

  /** The files at a time, in milliseconds since the epoch. */
  filesAt(container: SeenContainer, restarts: number, at: number): FilesNow {
    const seconds = (at - this.beganAt(container.name ?? '', restarts)) / 1000
    const states = this.courseOf(container, restarts)?.files
    const latest = states?.findLast((state) => state.at <= seconds)
    const outside = this.outsideOf(container, restarts)
      .filter(
        (change) => change.at <= seconds && ('mount' in change || change.at > (latest?.at ?? -1)),
      )
      .map((change) => ({ ...change, at: 0 }))
    return { files: latest?.files, outside }
  }

  /** The file system at a time, in milliseconds since the epoch. */
  fileSystemAt(container: SeenContainer, restarts: number, at: number): FileSystem {
    const inside = this.processOf(container, restarts)
    const course = this.courseOf(container, restarts)
    const { mounts, opaque = false, root } = execSurroundings(inside, container, course)
    const system = new FileSystem({ mounts, opaque, ...root })
    const { files, outside } = this.filesAt(container, restarts, at)
    if (files) system.take(files)
    for (const change of outside) system.receive(change)
    return system
  }

  /** Seconds since the start of a run at which its files change. */
  changesOf(container: SeenContainer, restarts: number): number[] {
    return [
      ...(this.courseOf(container, restarts)?.files ?? []).map(({ at }) => at),
      ...this.outsideOf(container, restarts).map(({ at }) => at),
    ]
  }

  /** The writes of a run to volumes, up to its end. */
  mountedWrites(container: SeenContainer, restarts: number, round = ROUNDS): TimedWrite[] {
    const run = this.runOf(container.name ?? '', restarts)
    const course = run && this.courseOf(container, restarts, round)
    return (course?.writes ?? [])
      .filter(({ isMounted }) => isMounted)
      .map((write) => ({ ...write, at: (run?.began ?? 0) + write.at * 1000 }))
      .filter(({ at }) => at <= (run?.ended ?? 0))
  }

  private writesOfOthers(container: SeenContainer, round: number): TimedWrite[] {
    const { initContainers = [], containers = [] } = this.pod.spec ?? {}
    const mounted = new Set(container.volumeMounts?.map(({ name }) => name))
    return [...initContainers, ...containers].flatMap((other) => {
      const { name = '', volumeMounts = [] } = other
      const restarts = statusOf(this.pod, name)?.restartCount ?? 0
      const shares = volumeMounts.some(
        (mount) => mounted.has(mount.name) && this.isShared(mount.name),
      )
      if (name === container.name || !shares) return []
      // Recorded writes are visible without another simulation.
      if (this.own?.recordOf(name, restarts)?.isSettled) return []
      return this.mountedWrites(other, restarts, round)
    })
  }

  private isShared(volume: string): boolean {
    const found = this.pod.spec?.volumes?.find(({ name }) => name === volume)
    return found !== undefined && !isWrittenByKubelet(found)
  }

  /** Later contents of mounts. A mount with `subPath` keeps those of the start of the container. */
  private revisionsOf(container: SeenContainer, restarts: number, began: number) {
    const { volumes } = this.own ?? {}
    if (!volumes?.size) return []
    const { environment } = this.processOf(container, restarts).surroundings
    const whole = {
      ...container,
      volumeMounts: (container.volumeMounts ?? []).filter(
        ({ subPath, subPathExpr }) => !subPath && !subPathExpr,
      ),
    }
    return [...volumes].flatMap(([name, revisions]) => {
      const mounts = {
        ...whole,
        volumeMounts: whole.volumeMounts.filter((mount) => mount.name === name),
      }
      return revisions
        .filter(({ at }) => at > began)
        .flatMap((revision) =>
          mountsOf(this.pod, mounts, environment, () => revision).map((mount) => ({
            at: revision.at,
            mount,
          })),
        )
    })
  }

  /** What the program logs about requests of others. */
  printedBy(container: SeenContainer, restarts: number): LogEntry[] {
    const { name = '' } = container
    const began = this.beganAt(name, restarts)
    const printed = this.own?.journalOf(name, restarts).printed ?? []
    return printed.map(({ at, text }) => ({ text, after: (at - began) / 1000 }))
  }

  private beganAt(name: string, restarts: number): number {
    return this.runOf(name, restarts)?.began ?? Number.POSITIVE_INFINITY
  }

  private runOf(name: string, restarts: number): Run | undefined {
    const status = statusOf(this.pod, name)
    const { running, terminated } = status?.state ?? {}
    const isLatest = restarts === (status?.restartCount ?? 0)
    const ended = isLatest && terminated ? terminated : status?.lastState?.terminated
    if (isLatest && running)
      return { began: Date.parse(running.startedAt ?? ''), ended: Number.POSITIVE_INFINITY }
    return (
      ended && {
        began: Date.parse(ended.startedAt ?? ''),
        ended: Date.parse(ended.finishedAt ?? ''),
      }
    )
  }
}
