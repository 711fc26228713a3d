import { entryOf } from '../../../engine/core/object'
import type { Cell, Matrix, QueryAttributes } from '../../../hosts/shared/access'
import { cellText, OUTCOMES, RIGHTS } from './texts'

export interface GridCell {
  look: keyof typeof LOOKS
  /** Roles can also allow resources that the server does not serve. */
  served: boolean
  label: string
  attributes: QueryAttributes
}

export interface GridRow {
  key: string
  /** `deployments/scale` */
  name: string
  cells: GridCell[]
}

export interface GridGroup {
  /** `apps/v1` */
  title: string
  rows: GridRow[]
}

export const LOOKS = {
  allowed: { sign: '✓', word: OUTCOMES.allowed },
  some: { sign: '◐', word: OUTCOMES.some },
  'not-allowed': { sign: '–', word: OUTCOMES.notAllowed },
  denied: { sign: '✕', word: OUTCOMES.denied },
} as const

export interface GridFilter {
  words: string
  subresources: boolean
  /** Omits rows in which nothing is allowed. */
  allowed: boolean
}

export function resourceGroups(
  matrix: Matrix,
  namespace: string,
  { words, subresources, allowed }: GridFilter,
): GridGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, GridGroup>()
  for (const { resource, cells } of matrix.rows) {
    if (!subresources && resource.resource.includes('/')) continue
    const title =
      resource.group === '' ? `core/${resource.version}` : `${resource.group}/${resource.version}`
    const text = `${resource.resource} ${title}`
    if (!wanted.every((word) => text.includes(word))) continue
    if (allowed && cells.every(({ outcome }) => outcome === 'forbidden')) continue
    const [plain = '', subresource = ''] = resource.resource.split('/')
    const row: GridRow = {
      key: `${resource.group}/${resource.resource}`,
      name: resource.resource,
      cells: matrix.verbs.map((verb, column) => {
        const attributes = {
          verb,
          isResource: true,
          path: '',
          group: resource.group,
          version: resource.version,
          resource: plain,
          subresource,
          namespace: resource.namespaced ? namespace : '',
          name: '',
        }
        return gridCell(
          cells[column],
          attributes,
          resource.verbs.includes(verb),
          `${verb} ${resource.resource}`,
        )
      }),
    }
    const group = groups.get(title)
    if (group === undefined) groups.set(title, { title, rows: [row] })
    else group.rows.push(row)
  }
  return [...groups.values()]
}

export function pathGroups(matrix: Matrix, { words, allowed }: GridFilter): GridGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const rows = matrix.paths
    .filter(
      ({ path, cells }) =>
        wanted.every((word) => path.includes(word)) &&
        !(allowed && cells.every(({ outcome }) => outcome === 'forbidden')),
    )
    .map(({ path, cells }): GridRow => {
      const attributes = {
        isResource: false,
        path,
        group: '',
        version: '',
        resource: '',
        subresource: '',
        namespace: '',
        name: '',
      }
      return {
        key: path,
        name: path,
        cells: matrix.pathVerbs.map((verb, column) =>
          gridCell(cells[column], { ...attributes, verb }, true, `${verb} ${path}`),
        ),
      }
    })
  return rows.length === 0 ? [] : [{ title: RIGHTS.paths, rows }]
}

function gridCell(
  cell: Cell | undefined,
  attributes: QueryAttributes,
  served: boolean,
  what: string,
): GridCell {
  const look =
    cell === undefined || (cell.outcome === 'forbidden' && cell.by === undefined)
      ? 'not-allowed'
      : cell.outcome === 'forbidden'
        ? 'denied'
        : cell.outcome
  const label = cellText(what, LOOKS[look].word, {
    names: cell?.names,
    by: cell?.by?.type,
    served,
  })
  // Cells of named objects use the first name.
  return {
    look,
    served,
    label,
    attributes:
      cell?.names?.[0] === undefined ? attributes : { ...attributes, name: cell.names[0] },
  }
}

/** @returns undefined for the current revision or invalid text */
export function revisionIn(typed: string): number | undefined {
  const revision = Number(typed)
  return typed.trim() !== '' && Number.isInteger(revision) && revision > 0 ? revision : undefined
}

/** 0-based. */
export interface Place {
  row: number
  column: number
}

/** Rows that Page Up and Page Down move. */
const PAGE = 10

/**
 * @param far whether Ctrl or Cmd is pressed: Home and End then change the row too
 * @returns undefined if the key does not move
 */
export function moved(
  key: string,
  far: boolean,
  { row, column }: Place,
  last: Place,
): Place | undefined {
  const to: Record<string, Place> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + PAGE, column },
    PageUp: { row: row - PAGE, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? last.row : row, column: last.column },
  }
  const next = entryOf(to, key)
  return (
    next && {
      row: Math.max(0, Math.min(next.row, last.row)),
      column: Math.max(0, Math.min(next.column, last.column)),
    }
  )
}
