import type { Container, Pod } from 'kubernetes-types/core/v1'
import type { Behavior } from '../../simulation/behavior'
import { Journal } from '../../simulation/network/journal'
import type { Seen, SeenPod } from '../../simulation/pod'
import { type LiveNetwork, PodPrograms } from '../../simulation/pod-programs'
import type { SimulatedState } from '../../simulation/pod-state'
import { responsesChangeAt, verdictOf } from '../../simulation/probes'
import { hostFilesIn } from '../../simulation/runtime-files'
import { run } from '../../simulation/shell'
import { endingOf, execSurroundings } from '../../simulation/simulated-process'
import type { Stored } from '../runtime/stored'
import type { Surroundings } from './container-lifecycle'
import { type HookPlace, hookOf } from './hooks'

/** After SIGTERM. */
interface Ended {
  seconds: number
  code: number
}

interface Around {
  seen: Seen
  /** Milliseconds. */
  now: number
  state: SimulatedState
  behaviorOf(container: Container): Behavior
  /** Absent: the programs do nothing in the network. */
  network?: LiveNetwork
}

export interface Programs
  extends Pick<Surroundings, 'verdictOf' | 'changesOf' | 'courseOf' | 'hookOf'> {
  endingOf(container: Container, termAt: number): Ended | undefined
}

export function programsOf(
  pod: Stored<Pod>,
  { seen, now, state, behaviorOf, network }: Around,
): Programs {
  const { spec } = pod
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  const containers = [...(spec?.containers ?? []), ...sidecars]
  const programs = new PodPrograms(pod, seen, state, network)
  const course = (container: Container, restarts: number) => programs.courseOf(container, restarts)
  const contextOf = (container: Container, restarts: number, at: number) => ({
    container: container.name,
    surroundings: execSurroundings(
      programs.processOf(container, restarts),
      container,
      course(container, restarts),
    ),
    ...programs.filesAt(container, restarts, at),
    now,
    outputs: behaviorOf(container).exec ?? [],
  })
  const place: HookPlace = {
    own: state.of(pod as SeenPod),
    now,
    podIP: seen.podIP,
    get network() {
      return network?.ofNode()
    },
    run(container, restarts, command) {
      const context = contextOf(container, restarts, now)
      const { surroundings } = context
      const client = network?.clientOf(hostFilesIn(surroundings.root?.runtime))
      const live = client && { until: Number.POSITIVE_INFINITY, client }
      return run(command, {
        ...context,
        surroundings: { ...surroundings, reach: { journal: new Journal(), live } },
        keep(writes) {
          const timed = writes.map((write) => ({ ...write, at: now + write.at * 1000 }))
          state.recordWrites(pod as SeenPod, container.name, restarts, timed)
        },
      })
    },
  }
  return {
    courseOf: course,
    hookOf: (container, restarts, hook) => hookOf(container, restarts, hook, place),
    endingOf(container, termAt) {
      const status = pod.status?.containerStatuses?.find(({ name }) => name === container.name)
      const began = Date.parse(status?.state?.running?.startedAt ?? '')
      if (status === undefined || Number.isNaN(began)) return undefined
      const { restartCount } = status
      return endingOf(
        programs.processOf(container, restartCount),
        programs.earlierRuns(container.name, restartCount),
        Math.max(0, (termAt - began) / 1000),
        programs.outsideOf(container, restartCount),
      )
    },
    changesOf: (container, restarts) => [
      ...responsesChangeAt(containers),
      ...programs.changesOf(container, restarts),
    ],
    verdictOf({ container, restarts, probe, seconds, at }) {
      return verdictOf(probe, {
        container,
        containers,
        podIP: seen.podIP,
        seconds,
        files: () => programs.fileSystemAt(container, restarts, at),
        run: (command) => run(command, contextOf(container, restarts, at)),
      })
    },
  }
}
