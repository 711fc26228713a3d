/** The metrics of lists: how many objects are read, tested and returned. */
import type { Cell } from './instruments'
import type { MetricRegistry } from './registry'

interface Cells {
  lists: Cell
  fetched: Cell
  evaluated: Cell
  returned: Cell
}

export class ListMetrics {
  private readonly cells = new WeakMap<object, Cells>()

  constructor(private readonly registry: MetricRegistry) {}

  /** A list was served. @param of which resource @param counts objects that were read, tested and returned */
  listed(
    of: { group: string; resource: string },
    counts: Readonly<Record<'fetched' | 'evaluated' | 'returned', number>>,
  ): void {
    let cells = this.cells.get(of)
    if (cells === undefined) this.cells.set(of, (cells = this.cellsOf(of)))
    cells.lists.value++
    cells.fetched.value += counts.fetched
    cells.evaluated.value += counts.evaluated
    cells.returned.value += counts.returned
  }

  private cellsOf({ group, resource }: { group: string; resource: string }): Cells {
    const labels = { resource: group === '' ? resource : `${resource}.${group}` }
    return {
      lists: this.registry.numbers('apiserver_storage_list_total').at(labels),
      fetched: this.registry.numbers('apiserver_storage_list_fetched_objects_total').at(labels),
      evaluated: this.registry.numbers('apiserver_storage_list_evaluated_objects_total').at(labels),
      returned: this.registry.numbers('apiserver_storage_list_returned_objects_total').at(labels),
    }
  }
}
