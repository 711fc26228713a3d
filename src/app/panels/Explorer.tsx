/** Everything the server has, by group and kind, live. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { type TreeKind, type TreeObject, useCluster } from '../state/cluster'
import { useView } from '../state/view'

type Row =
  | { type: 'group'; name: string }
  | { type: 'kind'; key: string; kind: TreeKind; count: number; open: boolean }
  | { type: 'object'; kind: TreeKind; object: TreeObject }

/** How long a changed object keeps its mark. */
const FRESH_MILLISECONDS = 6000

/** Groups that people meet first come first. */
const ORDER = ['', 'apps', 'batch', 'networking.k8s.io', 'autoscaling', 'policy', 'rbac.authorization.k8s.io']

function groupRank(group: string): number {
  const rank = ORDER.indexOf(group)
  return rank < 0 ? ORDER.length : rank
}

function rowsOf(kinds: Map<string, TreeKind>, open: ReadonlySet<string>, filter: string, namespace: string, all: boolean): Row[] {
  const rows: Row[] = []
  const sorted = [...kinds].sort(
    ([, a], [, b]) =>
      groupRank(a.resource.group) - groupRank(b.resource.group) ||
      a.resource.group.localeCompare(b.resource.group) ||
      a.resource.kind.localeCompare(b.resource.kind),
  )
  let group: string | undefined
  for (const [key, kind] of sorted) {
    const objects = [...kind.objects.values()].filter(
      (object) =>
        (namespace === '' || object.namespace === '' || object.namespace === namespace) &&
        (filter === '' || object.name.includes(filter) || kind.resource.resource.includes(filter)),
    )
    if (objects.length === 0 && !(all && (filter === '' || kind.resource.resource.includes(filter)))) continue
    if (kind.resource.group !== group) {
      group = kind.resource.group
      rows.push({ type: 'group', name: group === '' ? 'core' : group })
    }
    const isOpen = open.has(key) || (filter !== '' && objects.length <= 20)
    rows.push({ type: 'kind', key, kind, count: objects.length, open: isOpen })
    if (isOpen)
      rows.push(
        ...objects
          .sort((a, b) => a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name))
          .map((object): Row => ({ type: 'object', kind, object })),
      )
  }
  return rows
}

export function Explorer() {
  const kinds = useCluster((state) => state.kinds)
  const namespace = useView((state) => state.namespace)
  const setView = useView((state) => state.set)
  const [filter, setFilter] = useState('')
  const [all, setAll] = useState(false)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['apps/deployments', '/services', '/pods']))
  const namespaces = useMemo(() => [...(kinds.get('/namespaces')?.objects.values() ?? [])].map(({ name }) => name).sort(), [kinds])
  const rows = useMemo(() => rowsOf(kinds, open, filter.trim().toLowerCase(), namespace, all), [kinds, open, filter, namespace, all])
  const toggle = (key: string) =>
    setOpen((before) => new Set(before.has(key) ? [...before].filter((other) => other !== key) : [...before, key]))

  return (
    <nav className="panel" aria-label="Explorer">
      <div className="bar">
        <h2>Explorer</h2>
        <span className="grow" />
        <label className="soft" style={{ display: 'flex', gap: 5, alignItems: 'center', fontSize: 12 }}>
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> empty kinds
        </label>
      </div>
      <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 8, padding: 10 }}>
        <input
          className="field"
          type="search"
          placeholder="Filter"
          aria-label="Filter objects by name or kind"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <select className="field" aria-label="Namespace" value={namespace} onChange={(event) => setView({ namespace: event.target.value })}>
          <option value="">All namespaces</option>
          {namespaces.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      {rows.length === 0 ? (
        <div className="empty">
          {filter
            ? `Nothing here is called “${filter}”.`
            : kinds.size === 0
              ? 'Asking the server what it has …'
              : 'This actor may not list anything, or there is nothing to list.'}
        </div>
      ) : (
        <Tree rows={rows} toggle={toggle} />
      )}
    </nav>
  )
}

function Tree({ rows, toggle }: { rows: Row[]; toggle: (key: string) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (rows[index]?.type === 'group' ? 38 : innerWidth < 768 ? 36 : 28),
    overscan: 12,
  })
  return (
    <div className="scroll" ref={box}>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map((item) => (
          <div key={item.key} style={{ position: 'absolute', top: 0, width: '100%', transform: `translateY(${item.start}px)` }}>
            <TreeRow row={rows[item.index] as Row} toggle={toggle} />
          </div>
        ))}
      </div>
    </div>
  )
}

function TreeRow({ row, toggle }: { row: Row; toggle: (key: string) => void }) {
  const selected = useView((state) => state.selected)
  if (row.type === 'group') return <div className="tree-group">{row.name}</div>
  if (row.type === 'kind') {
    return (
      <button type="button" className="tree-row" aria-expanded={row.open} onClick={() => toggle(row.key)} title={row.kind.refused}>
        <span className="chevron" aria-hidden="true">
          ›
        </span>
        {row.kind.resource.kind}
        {row.kind.refused ? <span className="chip bad">403</span> : <span className="count">{row.count}</span>}
      </button>
    )
  }
  const { object, kind } = row
  const current = selected?.resource === kind.resource && selected.name === object.name && selected.namespace === object.namespace
  const fresh = Date.now() - object.changed < FRESH_MILLISECONDS
  return (
    <button
      type="button"
      className={`tree-row object${fresh ? ' fresh' : ''}${object.deleting ? ' deleting' : ''}`}
      aria-current={current}
      onClick={() =>
        useView.getState().set({ selected: { resource: kind.resource, namespace: object.namespace, name: object.name }, pane: 'object' })
      }
    >
      <span className="cut">{object.name}</span>
      {object.namespace && <span className="count cut">{object.namespace}</span>}
    </button>
  )
}
