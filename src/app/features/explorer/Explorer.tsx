import { useDeferredValue, useMemo } from 'react'
import { Empty } from '../../components/Empty'
import { countText } from '../../components/format'
import { Icon } from '../../components/Icon'
import { useActors } from '../../state/actors'
import { useCluster } from '../../state/cluster'
import { useView } from '../../state/view'
import { rowsOf } from './rows'
import * as texts from './shell-texts'
import { Tree } from './Tree'
import { useTree } from './tree'

export function Explorer() {
  // User input takes priority over updates from the cluster.
  const kinds = useDeferredValue(useCluster((state) => state.kinds))
  const namespace = useView((state) => state.namespace)
  const toggled = useTree((state) => state.toggled)
  const all = useTree((state) => state.all)
  const typed = useTree((state) => state.filter)
  const filter = useDeferredValue(typed)
  const rows = useMemo(
    () => rowsOf(kinds.values(), { toggled, filter: filter.trim().toLowerCase(), namespace, all }),
    [kinds, toggled, filter, namespace, all],
  )
  return (
    <nav className="panel" aria-label={texts.explorer} data-pane="explorer">
      <Filters />
      {rows.length === 0 ? <Nothing /> : <Tree rows={rows} />}
      <Foot />
    </nav>
  )
}

function Filters() {
  const kinds = useCluster((state) => state.kinds)
  const namespace = useView((state) => state.namespace)
  const filter = useTree((state) => state.filter)
  const setFilter = useTree((state) => state.setFilter)
  const names = useMemo(
    () => [...(kinds.get('/namespaces')?.objects.values() ?? [])].map(({ name }) => name).sort(),
    [kinds],
  )
  return (
    <div className="explorer-filters">
      <div className="field with-icon">
        <Icon name="search" />
        <input
          type="search"
          data-filter
          placeholder={texts.filterHint}
          aria-label={texts.filterLabel}
          aria-keyshortcuts="/"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={(event) =>
            event.key === 'ArrowDown' && document.querySelector<HTMLElement>('[role=tree]')?.focus()
          }
        />
      </div>
      <div className="field with-icon">
        <Icon name="layers" />
        <select
          aria-label={texts.namespace}
          value={namespace}
          onChange={(event) => useView.getState().set({ namespace: event.target.value })}
        >
          <option value="">{texts.allNamespaces}</option>
          {/* The selected namespace need not exist. */}
          {namespace !== '' && !names.includes(namespace) && <option>{namespace}</option>}
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
    </div>
  )
}

function Nothing() {
  const complete = useCluster((state) => state.complete)
  const rejected = useCluster((state) =>
    [...state.kinds.values()].some((kind) => kind.rejection !== undefined),
  )
  const actor = useActors((state) => state.actor)
  const filter = useTree((state) => state.filter)
  if (!complete) return <Empty>{texts.loading}</Empty>
  if (filter !== '') return <Empty icon="search">{texts.noMatches(filter)}</Empty>
  if (!rejected) return <Empty>{texts.empty}</Empty>
  return (
    <Empty icon="user" title={texts.cannotList(actor.name)}>
      {texts.noPermissions}
    </Empty>
  )
}

function Foot() {
  const all = useTree((state) => state.all)
  const showAll = useTree((state) => state.showAll)
  const empty = useCluster(
    (state) =>
      [...state.kinds.values()].filter((kind) => kind.objects.size === 0 && !kind.rejection).length,
  )
  const rejected = useCluster(
    (state) => [...state.kinds.values()].filter((kind) => kind.rejection !== undefined).length,
  )
  if (empty + rejected === 0) return null
  return (
    <div className="panel-foot">
      <button
        type="button"
        className="button quiet small"
        aria-pressed={all}
        onClick={() => showAll(!all)}
      >
        {all ? texts.hide : texts.show} {countText(empty + rejected, texts.moreKind)}
      </button>
      {rejected > 0 && (
        <span className="chip bad" title={texts.forbiddenTitle}>
          {texts.forbidden(rejected)}
        </span>
      )}
    </div>
  )
}
