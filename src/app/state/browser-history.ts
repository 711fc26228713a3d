/** The browser's Back and Forward lead between the places and objects that were looked at, as between the pages of a site. */
import { type ObjectTab, type Pane, type SelectedObject, useView } from './view'

/** What was looked at; it lies in the browser's history, so it is plain data. */
interface Spot {
  place: string
  /** In a one-pane layout only: otherwise Back would return to a pane that was never alone on the screen. */
  pane?: Pane
  selected: SelectedObject | null
  objectTab: ObjectTab
}

/** What is left sooner was only passed: browsers take a few entries a second at most. */
const STAY_MILLISECONDS = 400

/** What this needs of a window. */
export interface HistoryWindow {
  history: Pick<History, 'state' | 'pushState' | 'replaceState'>
  matchMedia(query: string): { matches: boolean }
  addEventListener(type: 'popstate', listener: (event: { state: unknown }) => void): void
}

/**
 * Begins to write down where one is, and to go back there. Anything else that lies in the browser's history is left alone.
 * @param onePane the media query of windows in which one pane is seen at a time
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

/** Only this page writes into its own entries; an entry of another kind, as that of a link's fragment, has none of this. */
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
