/** What the programs of a pod answer to those who ask whether they are well. */
import type { Container, Pod } from 'kubernetes-types/core/v1'
import type { Behaviour } from '../../simulation/behaviour'
import { answersChangeAt, verdictOf } from '../../simulation/probes'
import { run } from '../../simulation/shell'
import type { Stored } from '../runtime/stored'
import type { Surroundings } from './container-course'

/** @param podIP the address that the pod has @param now in milliseconds */
export function answersIn(
  { metadata, spec }: Stored<Pod>,
  podIP: string,
  now: number,
  behaviourOf: (container: Container) => Behaviour,
): Pick<Surroundings, 'verdictOf' | 'changesOf'> {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  const containers = [...(spec?.containers ?? []), ...sidecars]
  return {
    changesOf: () => answersChangeAt(containers),
    verdictOf: (container, probe, seconds) =>
      verdictOf(probe, {
        container,
        containers,
        podIP,
        seconds,
        run: (command) =>
          run(command, {
            pod: metadata.name ?? '',
            container: container.name,
            image: container.image ?? '',
            node: spec?.nodeName ?? '',
            environment: Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, value])),
            now,
            answers: behaviourOf(container).exec ?? [],
          }),
      }),
  }
}
