import { type ObjectTab, type Pane, type SelectedObject, useView } from './view'

interface Spot {
  place: string
  /**
   * In a one-pane layout only; otherwise Back would return to a pane that was never shown alone.
   */
  pane?: Pane
  selected: SelectedObject | null
  objectTab: ObjectTab
}

/** Debounced, because browsers limit history entries per second. */
const STAY_MILLISECONDS = 400

export interface HistoryWindow {
  history: Pick<History, 'state' | 'pushState' | 'replaceState'>
  matchMedia(query: string): { matches: boolean }
  addEventListener(type: 'popstate', listener: (event: { state: unknown }) => void): void
}

/**
 * Restores the view on Back; keeps foreign history entries.
 * @param onePane the media query of the one-pane layout
 */
export function followHistory(target: HistoryWindow, onePane: string): void {
  const { history } = target
  const here = () => spotOf(useView.getState(), target.matchMedia(onePane).matches)
  let at = here()
  let staying: ReturnType<typeof setTimeout> | undefined
  const note = (spot: Spot) => {
    const leads = spot.place !== at.place || !isSameObject(spot.selected, at.selected)
    at = spot
    history[leads ? 'pushState' : 'replaceState']({ spot }, '')
  }
  history.replaceState({ spot: at }, '')
  useView.subscribe(() => {
    clearTimeout(staying)
    if (!isSame(here(), at)) staying = setTimeout(() => note(here()), STAY_MILLISECONDS)
  })
  target.addEventListener('popstate', ({ state }) => {
    const spot = spotIn(state)
    if (spot === undefined) return
    at = spot
    const { place, pane, selected, objectTab } = spot
    const shown = pane !== undefined && target.matchMedia(onePane).matches ? { pane } : {}
    useView.getState().set({ place, selected: selected ?? undefined, objectTab, ...shown })
  })
}

function spotOf(
  { place, pane, selected, objectTab }: ReturnType<typeof useView.getState>,
  isOnePane: boolean,
): Spot {
  return { place, selected: selected ?? null, objectTab, ...(isOnePane ? { pane } : {}) }
}

/** Entries of other origin, such as a link's fragment, have no `spot`. */
const spotIn = (state: unknown): Spot | undefined => (state as { spot?: Spot } | null)?.spot

const isSame = (a: Spot, b: Spot): boolean =>
  a.place === b.place &&
  a.pane === b.pane &&
  a.objectTab === b.objectTab &&
  isSameObject(a.selected, b.selected)

function isSameObject(a: SelectedObject | null, b: SelectedObject | null): boolean {
  if (a === null || b === null) return a === b
  const isSameKind =
    a.resource.group === b.resource.group &&
    a.resource.version === b.resource.version &&
    a.resource.kind === b.resource.kind
  return isSameKind && a.namespace === b.namespace && a.name === b.name
}
