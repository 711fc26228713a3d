/** The rows on the screen: as many as fit are in the document. One of them is current; the arrow keys move. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '../../components/Icon'
import { useCluster } from '../../state/cluster'
import { useTree } from '../../state/tree'
import { selectObject, useView } from '../../state/view'
import { idOfGroup, idOfKind, idOfObject, isOpen, LEVEL, move, type Row } from './rows'

/** A finger needs more room than a pointer. */
const rowHeight = (): number => (matchMedia('(pointer: coarse), (max-width: 767px)').matches ? 40 : 27)

export function Tree({ rows }: { rows: Row[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState('')
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 16,
  })
  const found = rows.findIndex(({ id }) => id === current)
  const at = Math.max(0, found)
  const goTo = (index: number) => {
    setCurrent(rows[index]?.id ?? '')
    list.scrollToIndex(index)
  }
  useRevealed(rows, goTo)

  function press(event: KeyboardEvent): void {
    const row = rows[at]
    const step = move(rows, at, event.key)
    if (step && 'to' in step) goTo(step.to)
    else if (step) useTree.getState().toggle(step.toggle)
    else if ((event.key === 'Enter' || event.key === ' ') && row) activate(row)
    else return
    event.preventDefault()
  }

  return (
    <div
      className="scroll tree"
      ref={box}
      role="tree"
      aria-label="Objects"
      tabIndex={0}
      data-pane-focus
      aria-activedescendant={rows[at] && rowId(rows[at])}
      onKeyDown={press}
    >
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ key, index, start, size }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <TreeRow
              key={key}
              row={row}
              current={index === at}
              style={{ height: size, transform: `translateY(${start}px)` }}
              onPress={() => {
                setCurrent(row.id)
                activate(row)
              }}
            />
          )
        })}
      </div>
    </div>
  )
}

const rowId = ({ id }: Row): string => `row-${id}`

function activate(row: Row): void {
  if (row.type === 'object') selectObject({ resource: row.kind.resource, namespace: row.object.namespace, name: row.object.name })
  else useTree.getState().toggle(row.id)
}

/** What was chosen elsewhere (a result, the palette) is unfolded and brought into view. */
function useRevealed(rows: Row[], goTo: (index: number) => void): void {
  const selected = useView((state) => state.selected)
  const revealed = useRef<unknown>(undefined)
  useEffect(() => {
    if (selected === undefined || revealed.current === selected) return
    const kind = useCluster.getState().kinds.get(`${selected.resource.group}/${selected.resource.resource}`)
    if (kind === undefined) return
    const { toggled, toggle } = useTree.getState()
    const shut = [idOfGroup(kind), idOfKind(kind)].filter((id) => !isOpen(id, toggled))
    if (shut.length > 0) return toggle(...shut)
    const index = rows.findIndex(({ id }) => id === idOfObject(kind, selected))
    // It may not have come through the watch yet: the next rows will have it.
    if (index < 0) return
    revealed.current = selected
    goTo(index)
  }, [selected, rows, goTo])
}

interface TreeRowProps {
  row: Row
  current: boolean
  style: React.CSSProperties
  onPress(): void
}

function TreeRow({ row, current, style, onPress }: TreeRowProps) {
  const selected = useView((state) => state.selected)
  const chosen =
    row.type === 'object' &&
    selected?.name === row.object.name &&
    selected.namespace === row.object.namespace &&
    selected.resource.resource === row.kind.resource.resource &&
    selected.resource.group === row.kind.resource.group
  const fresh = row.type === 'object' && row.object.changed > 0 ? row.object.resourceVersion : undefined
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and hears the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its current row
    <div
      id={rowId(row)}
      role="treeitem"
      className={`tree-row ${row.type}${current ? ' current' : ''}${row.type === 'kind' && row.shadow ? ' shadow' : ''}`}
      aria-level={LEVEL[row.type]}
      aria-selected={chosen}
      {...(row.type === 'object' ? {} : { 'aria-expanded': row.open })}
      style={style}
      onClick={onPress}
    >
      {row.type === 'object' ? (
        <>
          {/* A new version makes the mark anew, so it shines again. */}
          <i key={fresh} className={fresh ? 'fresh' : ''} />
          <span className={`cut${row.object.deleting ? ' deleting' : ''}`}>{row.object.name}</span>
          {row.object.deleting && <span className="chip warn">deleting</span>}
          {row.object.namespace && <span className="aside cut">{row.object.namespace}</span>}
        </>
      ) : (
        <>
          <Icon name="chevron" size={12} />
          <span className="cut">{row.title}</span>
          {row.type === 'kind' && row.kind.refused ? (
            <span className="chip bad" title={row.kind.refused}>
              403
            </span>
          ) : (
            <span className="count">{row.count}</span>
          )}
        </>
      )}
    </div>
  )
}
