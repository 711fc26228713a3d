import type { Event as CoreEvent } from 'kubernetes-types/core/v1'
import type { KubeObject } from '../core/object'
import type { Change } from './change'
import type { ControllerWrite } from './controller-writes'

/** For Events, the involved object: schedulers and kubelets act by its state. */
export function subjectOf(object: KubeObject): string {
  const { involvedObject } = object as KubeObject & Partial<CoreEvent>
  const {
    kind = '',
    namespace = '',
    name = '',
  } = object.kind === 'Event' && involvedObject
    ? involvedObject
    : { ...object.metadata, kind: object.kind }
  return nameOf({ kind, namespace, name })
}

export const nameOf = ({
  kind,
  namespace,
  name,
}: Pick<Change, 'kind' | 'namespace' | 'name'>): string => `${kind}/${namespace}/${name}`

export class Writers {
  private readonly byRevision = new Map<number, ControllerWrite>()
  /** Writes whose response had no revision. */
  private readonly byObject = new Map<string, ControllerWrite[]>()

  constructor(writes: readonly ControllerWrite[]) {
    for (const write of writes) {
      if (write.revision === undefined) {
        const name = nameOf(write)
        const others = this.byObject.get(name)
        if (others) others.push(write)
        else this.byObject.set(name, [write])
      } else this.byRevision.set(write.revision, write)
    }
  }

  /** Call in order of revisions, because each write is matched once. */
  of(change: Change): ControllerWrite | undefined {
    const known = this.byRevision.get(change.revision)
    if (known) return known
    const candidates = this.byObject.get(nameOf(change)) ?? []
    const index = candidates.findIndex(({ causes }) =>
      causes.every((revision) => revision < change.revision),
    )
    return index < 0 ? undefined : candidates.splice(index, 1)[0]
  }
}
