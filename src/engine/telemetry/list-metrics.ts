/** The metrics of lists: how many objects are read, tested and returned. */
import { memoizeByIdentity } from '../core/identity-memo'
import type { Cell } from './instruments'
import type { MetricRegistry } from './registry'

interface Cells {
  lists: Cell
  fetched: Cell
  evaluated: Cell
  returned: Cell
}

export class ListMetrics {
  private readonly cellsOf: (of: { group: string; resource: string }) => Cells
  private readonly terminated
  private readonly watchLists

  constructor(registry: MetricRegistry) {
    this.cellsOf = memoizeByIdentity((of) => newCells(registry, of))
    this.terminated = registry.numbers('apiserver_terminated_watchers_total')
    this.watchLists = registry.histogram('apiserver_watch_list_duration_seconds')
  }

  listed(
    of: { group: string; resource: string },
    counts: Readonly<Record<'fetched' | 'evaluated' | 'returned', number>>,
  ): void {
    const cells = this.cellsOf(of)
    cells.lists.value++
    cells.fetched.value += counts.fetched
    cells.evaluated.value += counts.evaluated
    cells.returned.value += counts.returned
  }

  watchTerminated(of: { group: string; resource: string }): void {
    this.terminated.at({ resource: qualifiedName(of) }).value++
  }

  watchListed(
    { group, version, resource, scope }: Record<'group' | 'version' | 'resource' | 'scope', string>,
    seconds: number,
  ): void {
    this.watchLists.at({ group, version, resource, scope }).observe(seconds)
  }
}

const qualifiedName = ({ group, resource }: { group: string; resource: string }): string =>
  group === '' ? resource : `${resource}.${group}`

function newCells(registry: MetricRegistry, of: { group: string; resource: string }): Cells {
  const labels = { resource: qualifiedName(of) }
  return {
    lists: registry.numbers('apiserver_storage_list_total').at(labels),
    fetched: registry.numbers('apiserver_storage_list_fetched_objects_total').at(labels),
    evaluated: registry.numbers('apiserver_storage_list_evaluated_objects_total').at(labels),
    returned: registry.numbers('apiserver_storage_list_returned_objects_total').at(labels),
  }
}
