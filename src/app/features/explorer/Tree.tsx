/** A virtualized tree, navigable by arrow keys. */
import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { HealthMark } from '../../components/HealthMark'
import { Icon } from '../../components/Icon'
import { equalRows } from '../../components/row-layout'
import { useRowHeight, useRowsInSight } from '../../components/rows-in-sight'
import { useCluster } from '../../state/cluster'
import type { TreeObject } from '../../state/tree-object'
import { type SelectedObject, selectObject, useView } from '../../state/view'
import { idOfGroup, idOfKind, idOfObject, isOpen, LEVEL, move, placesOf, type Row } from './rows'
import * as texts from './shell-texts'
import { useTree } from './tree'

/** As `.flash` has it. */
const FLASH_MILLISECONDS = 2000
/** Longer names leave no room for the words of a healthy object in a narrow explorer. */
const SHORT_NAME = 14
/** As `.tree` has it. */
const PADDING = 6

export function Tree({ rows }: { rows: Row[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState('')
  const rowHeight = useRowHeight(27, 40)
  const layout = useMemo(() => equalRows(rows.length, rowHeight), [rows.length, rowHeight])
  const { positions, sizes } = useMemo(() => placesOf(rows), [rows])
  const keyAt = useCallback((index: number) => (rows[index] as Row).id, [rows])
  const { span, scrollTo } = useRowsInSight(box, layout, { edge: PADDING, keyAt })
  const found = rows.findIndex(({ id }) => id === current)
  const at = Math.max(0, found)
  const goTo = (index: number) => {
    setCurrent(rows[index]?.id ?? '')
    scrollTo(index)
  }
  useRevealed(rows, goTo)
  const choose = useCallback((row: Row) => {
    setCurrent(row.id)
    activate(row)
  }, [])

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
      aria-label={texts.objects}
      tabIndex={0}
      data-pane-focus
      aria-activedescendant={rows[at] && rowId(rows[at])}
      onKeyDown={press}
    >
      <div style={{ height: layout.height, position: 'relative' }}>
        {rows.slice(span.from, span.to).map((row, index) => (
          <TreeRow
            key={row.id}
            row={row}
            current={span.from + index === at}
            position={positions[span.from + index]}
            size={sizes[span.from + index]}
            top={(span.from + index) * rowHeight}
            height={rowHeight}
            onChoose={choose}
          />
        ))}
      </div>
    </div>
  )
}

const rowId = ({ id }: Row): string => `row-${id}`

function activate(row: Row): void {
  if (row.type === 'object')
    selectObject({ resource: row.resource, namespace: row.object.namespace, name: row.object.name })
  else useTree.getState().toggle(row.id)
}

/** Expands and scrolls to an object selected elsewhere. */
function useRevealed(rows: Row[], goTo: (index: number) => void): void {
  const selected = useView((state) => state.selected)
  const revealed = useRef<unknown>(undefined)
  useEffect(() => {
    if (selected === undefined || revealed.current === selected) return
    const kind = useCluster
      .getState()
      .kinds.get(`${selected.resource.group}/${selected.resource.resource}`)
    if (kind === undefined) return
    const { toggled, toggle } = useTree.getState()
    const shut = [idOfGroup(kind), idOfKind(kind)].filter((id) => !isOpen(id, toggled))
    if (shut.length > 0) return toggle(...shut)
    const wanted = idOfObject(kind, selected)
    const index = rows.findIndex(({ id }) => id === wanted)
    // The watch may not have delivered it yet.
    if (index < 0) return
    revealed.current = selected
    goTo(index)
  }, [selected, rows, goTo])
}

interface TreeRowProps {
  row: Row
  current: boolean
  position: number | undefined
  size: number | undefined
  top: number
  height: number
  onChoose(row: Row): void
}

/** Most rows are equal between renders. */
const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { row, current, position, size, top, height, onChoose } = props
  const chosen = useView(({ selected }) => isShown(row, selected))
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and hears the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its current row
    <div
      id={rowId(row)}
      role="treeitem"
      className={`tree-row ${row.type}${current ? ' current' : ''}${row.type === 'kind' && row.shadow ? ' shadow' : ''}`}
      aria-level={LEVEL[row.type]}
      aria-posinset={position}
      aria-setsize={size}
      aria-selected={chosen}
      {...(row.type === 'object' ? {} : { 'aria-expanded': row.open })}
      style={{ height, transform: `translateY(${top}px)` }}
      onClick={() => onChoose(row)}
    >
      {row.type === 'object' ? (
        <ObjectCells object={row.object} />
      ) : (
        <>
          <Icon name="chevron" size={12} />
          <span className="cut">{row.title}</span>
          {row.type === 'kind' && row.kind.rejection ? (
            <span className="chip bad" title={row.kind.rejection}>
              403
            </span>
          ) : (
            <span className="count">{row.count}</span>
          )}
        </>
      )}
    </div>
  )
})

function ObjectCells({ object }: { object: TreeObject }) {
  const { name, namespace, deleting, health, resourceVersion, changed } = object
  const age = Date.now() - changed
  return (
    <>
      {/* A new version remounts it, which restarts the animation; scrolling does not. */}
      {age < FLASH_MILLISECONDS && (
        <i key={resourceVersion} className="flash" style={{ animationDelay: `-${age}ms` }} />
      )}
      <span
        className={`tree-name cut${deleting ? ' deleting' : ''}${name.length > SHORT_NAME ? ' long' : ''}`}
      >
        {name}
      </span>
      {namespace && <span className="aside cut">{namespace}</span>}
      {health && <HealthMark health={health} />}
    </>
  )
}

function isShown(row: Row, selected: SelectedObject | undefined): boolean {
  return (
    row.type === 'object' &&
    selected?.name === row.object.name &&
    selected.namespace === row.object.namespace &&
    selected.resource.resource === row.resource.resource &&
    selected.resource.group === row.resource.group
  )
}
