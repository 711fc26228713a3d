/** The table of permissions as rows and cells: groups of resources, icons, accessible names. */
import type { Cell, Matrix, QueryAttributes } from '../../../hosts/shared/access'

export interface GridCell {
  /** Shown by icon and color. */
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
  allowed: { sign: '✓', word: 'allowed' },
  some: { sign: '◐', word: 'specific names only' },
  'not-allowed': { sign: '–', word: 'not allowed' },
  denied: { sign: '✕', word: 'denied' },
} as const

export interface GridFilter {
  words: string
  subresources: boolean
  /** Only rows in which something is allowed. */
  allowed: boolean
}

/** @param namespace of the question */
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
  return rows.length === 0 ? [] : [{ title: 'Non-resource URLs', rows }]
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
  const names = cell?.names === undefined ? '' : ` (${cell.names.join(', ')})`
  const by = cell?.by === undefined ? '' : ` by ${cell.by.type}`
  const label = `${what}: ${LOOKS[look].word}${names}${by}${served ? '' : ', not served'}`
  // Cells of named objects use the first name.
  return {
    look,
    served,
    label,
    attributes:
      cell?.names?.[0] === undefined ? attributes : { ...attributes, name: cell.names[0] },
  }
}
