import type { Container, Pod } from 'kubernetes-types/core/v1'
import type { Behavior } from '../../simulation/behavior'
import type { Seen } from '../../simulation/pod'
import { responsesChangeAt, verdictOf } from '../../simulation/probes'
import { run } from '../../simulation/shell'
import {
  type ContainerProcess,
  courseOf,
  endingOf,
  execSurroundings,
  filesAt,
  processOf,
} from '../../simulation/simulated-process'
import type { Stored } from '../runtime/stored'
import type { Surroundings } from './container-lifecycle'

/** After SIGTERM. */
interface Ended {
  seconds: number
  code: number
}

/** @param now milliseconds */
export function programsOf(
  pod: Stored<Pod>,
  seen: Seen,
  now: number,
  behaviorOf: (container: Container) => Behavior,
): Pick<Surroundings, 'verdictOf' | 'changesOf' | 'courseOf'> & {
  endingOf(container: Container, termAt: number): Ended | undefined
} {
  const { spec } = pod
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  const containers = [...(spec?.containers ?? []), ...sidecars]
  const known = new Map<string, ContainerProcess>()
  const inside = (container: Container): ContainerProcess => {
    const found = known.get(container.name) ?? processOf(pod, container, seen)
    known.set(container.name, found)
    return found
  }
  const course = (container: Container, restarts: number) => courseOf(inside(container), restarts)
  return {
    courseOf: course,
    endingOf(container, termAt) {
      const status = pod.status?.containerStatuses?.find(({ name }) => name === container.name)
      const began = Date.parse(status?.state?.running?.startedAt ?? '')
      if (status === undefined || Number.isNaN(began)) return undefined
      return endingOf(inside(container), status.restartCount, Math.max(0, (termAt - began) / 1000))
    },
    changesOf: (container, restarts) => [
      ...responsesChangeAt(containers),
      ...(course(container, restarts)?.files ?? []).map(({ at }) => at),
    ],
    verdictOf({ container, restarts, probe, seconds }) {
      const program = course(container, restarts)
      return verdictOf(probe, {
        container,
        containers,
        podIP: seen.podIP,
        seconds,
        run: (command) =>
          run(command, {
            container: container.name,
            surroundings: execSurroundings(inside(container), container, program),
            files: program && filesAt(program, seconds),
            now,
            outputs: behaviorOf(container).exec ?? [],
          }),
      })
    },
  }
}
