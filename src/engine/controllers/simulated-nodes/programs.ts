import type { Container, Pod } from 'kubernetes-types/core/v1'
import type { Behavior } from '../../simulation/behavior'
import type { Seen } from '../../simulation/pod'
import { type LiveNetwork, PodPrograms } from '../../simulation/pod-programs'
import type { SimulatedState } from '../../simulation/pod-state'
import { responsesChangeAt, verdictOf } from '../../simulation/probes'
import { run } from '../../simulation/shell'
import { endingOf, execSurroundings } from '../../simulation/simulated-process'
import type { Stored } from '../runtime/stored'
import type { Surroundings } from './container-lifecycle'

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

export function programsOf(
  pod: Stored<Pod>,
  { seen, now, state, behaviorOf, network }: Around,
): Pick<Surroundings, 'verdictOf' | 'changesOf' | 'courseOf'> & {
  endingOf(container: Container, termAt: number): Ended | undefined
} {
  const { spec } = pod
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  const containers = [...(spec?.containers ?? []), ...sidecars]
  const programs = new PodPrograms(pod, seen, state, network)
  const course = (container: Container, restarts: number) => programs.courseOf(container, restarts)
  return {
    courseOf: course,
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
      const program = course(container, restarts)
      return verdictOf(probe, {
        container,
        containers,
        podIP: seen.podIP,
        seconds,
        run: (command) =>
          run(command, {
            container: container.name,
            surroundings: execSurroundings(
              programs.processOf(container, restarts),
              container,
              program,
            ),
            ...programs.filesAt(container, restarts, at),
            now,
            outputs: behaviorOf(container).exec ?? [],
          }),
      })
    },
  }
}
